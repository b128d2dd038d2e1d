From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint.
From rootdk.theory Require Import law finite_law.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Laws for instances and counterexamples: fair coins, their independent copies, uniform laws. *)

Section Uniform.
Variables (R : realFieldType) (T : finType) (t0 : T).

Lemma card_neq0 : #|T|%:R != 0 :> R.
Proof. by rewrite pnatr_eq0 -lt0n; apply/card_gt0P; exists t0. Qed.

Lemma uniform_ge0 (w : T) : 0 <= #|T|%:R^-1 :> R.
Proof. by rewrite invr_ge0 ler0n. Qed.

Lemma uniform_sum1 : \sum_(w : T) #|T|%:R^-1 = 1 :> R.
Proof.
by rewrite sumr_const -[X in X *+ _]mul1r -mulrnAl [X in X * _](_ : _ = #|T|%:R) ?divff ?card_neq0.
Qed.

Definition uniform : finite_law R := FiniteLaw uniform_ge0 uniform_sum1.

Lemma mean_uniform (X : T -> R) : mean (X : uniform -> R) = (\sum_w X w) / #|T|%:R.
Proof. by rewrite meanE -mulr_sumr mulrC. Qed.
End Uniform.

Definition coin R : finite_law R := uniform R true.

(* a fair sign *)
Definition sign {R : ringType} (b : bool) : R := if b then 1 else -1.

Lemma mean_coin (R : realFieldType) (X : bool -> R) :
  mean (X : coin R -> R) = (X true + X false) / 2%:R.
Proof. by rewrite mean_uniform big_bool card_bool. Qed.

Lemma sign_sqr (R : ringType) b : sign b ^+ 2 = 1 :> R.
Proof. by case: b; rewrite ?expr1n ?sqrrN ?expr1n. Qed.

Section Sign.
Variable R : realFieldType.
Let P := coin R.

(* 1 + a fair sign: mean 1, variance 1 *)
Definition shifted (b : bool) : R := 1 + sign b.

Lemma mean_sign : mean (sign : P -> R) = 0.
Proof. by rewrite mean_coin addrN mul0r. Qed.

Lemma mean_sign_sqr : mean (fun b : P => (sign b : R) ^+ 2) = 1.
Proof. by apply: mean_eq_cst => b; exact: sign_sqr. Qed.

Lemma mean_shifted : mean (shifted : P -> R) = 1.
Proof. by rewrite meanD mean_cst mean_sign addr0. Qed.

Lemma mean_shifted_sqr : mean (fun b : P => shifted b ^+ 2) = 2%:R.
Proof.
by rewrite mean_coin /shifted /sign addrN expr0n addr0 -[1 + 1]/(2%:R) expr2 mulfK ?pnatr_eq0.
Qed.
Lemma variance_sign : variance (sign : P -> R) = 1.
Proof. by rewrite /variance mean_sign; apply: mean_eq_cst => b; rewrite subr0 sign_sqr. Qed.

Lemma variance_shifted : variance (shifted : P -> R) = 1.
Proof.
rewrite /variance mean_shifted; apply: mean_eq_cst => b.
by rewrite /shifted addrAC subrr add0r sign_sqr.
Qed.
End Sign.
Arguments shifted {R}.

(* independent copies of a law, one for each i *)
Section Copies.
Variables (R : realFieldType) (P : finite_law R) (I : finType).

Lemma copies_ge0 (w : {ffun I -> sample P}) : 0 <= \prod_i weight (w i).
Proof. by apply: prodr_ge0 => i _; exact: weight_ge0. Qed.

Lemma copies_sum1 : \sum_(w : {ffun I -> sample P}) \prod_i weight (w i) = 1.
Proof.
rewrite -(bigA_distr_bigA (fun _ (a : sample P) => weight a)).
by apply: big1 => i _; exact: weight_sum1.
Qed.

Definition copies : finite_law R := FiniteLaw copies_ge0 copies_sum1.

Lemma mean_copies_prod (f : I -> P -> R) :
  mean (fun w : copies => \prod_i f i (w i)) = \prod_i mean (f i).
Proof.
rewrite meanE; under eq_bigr do rewrite -big_split.
by rewrite -(bigA_distr_bigA (fun i (a : sample P) => weight a * f i a)).
Qed.

Lemma mean_copies i (f : P -> R) : mean (fun w : copies => f (w i)) = mean f.
Proof.
pose g j a := if j == i then f a else 1.
transitivity (mean (fun w : copies => \prod_j g j (w j))).
  apply: eq_mean => w; rewrite (bigD1 i) //= big1 ?mulr1 /g ?eqxx // => j ji.
  by rewrite (negbTE ji).
rewrite mean_copies_prod (bigD1 i) //= big1 ?mulr1.
  by apply: eq_mean => w; rewrite /g eqxx.
move=> j ji; rewrite -[RHS](mean_cst P 1); apply: eq_mean => w.
by rewrite /g (negbTE ji).
Qed.

Lemma variance_copies i (f : P -> R) : variance (fun w : copies => f (w i)) = variance f.
Proof. by rewrite /variance mean_copies (mean_copies i (fun a => (f a - mean f) ^+ 2)). Qed.

Lemma copies_independent (A : eqType) (f : I -> P -> A) :
  mutually_independent (fun i (w : copies) => f i (w i)).
Proof.
move=> x; transitivity (mean (fun w : copies => \prod_i (f i (w i) == x i)%:R : R)).
  apply: eq_mean => w; case: (boolP [forall i, f i (w i) == x i]) => [/forallP h|].
    by rewrite big1 // => i _; rewrite h.
  rewrite negb_forall => /existsP[i /negbTE h].
  by rewrite (bigD1 i) //= h mul0r.
rewrite (mean_copies_prod (fun i a => (f i a == x i)%:R)); apply: eq_bigr => i _.
by rewrite /prob (mean_copies i (fun a => (f i a == x i)%:R)).
Qed.

Lemma eq_mutually_independent (A : eqType) (X Y : I -> P -> A) :
  (forall i, X i =1 Y i) -> mutually_independent X -> mutually_independent Y.
Proof.
move=> XY h x; transitivity ('Pr_w[[forall i, X i w == x i]]).
  by apply: eq_prob => w; apply: eq_forallb => i; rewrite XY.
by rewrite h; apply: eq_bigr => i _; apply: eq_prob => w; rewrite XY.
Qed.
End Copies.

(* q_i = f(coin), k_i = g(coin) with 2d independent coins *)
Section Vectors.
Variables (R : realFieldType) (d : nat).

Definition coins : finite_law R := copies (coin R) [finType of 'I_d + 'I_d].

Definition coin_query (f : bool -> R) (i : 'I_d) (w : coins) : R := f (w (inl i)).
Definition coin_key (g : bool -> R) (i : 'I_d) (w : coins) : R := g (w (inr i)).

Variables (f g : bool -> R).
Let q := coin_query f.
Let k := coin_key g.

Lemma coins_independent : mutually_independent (components q k).
Proof.
have h := @copies_independent R (coin R) [finType of 'I_d + 'I_d] _
  (fun p b => if p is inl _ then f b else g b).
by apply: eq_mutually_independent h => -[i|i] w.
Qed.

Lemma mean_query i (h : R -> R) : 'E_w[h (q i w)] = mean (fun b : coin R => h (f b)).
Proof. exact: (mean_copies (inl i) (fun b : coin R => h (f b))). Qed.

Lemma mean_key i (h : R -> R) : 'E_w[h (k i w)] = mean (fun b : coin R => h (g b)).
Proof. exact: (mean_copies (inr i) (fun b : coin R => h (g b))). Qed.

Lemma variance_query i : variance (q i) = variance (f : coin R -> R).
Proof. exact: (variance_copies (inl i) (f : coin R -> R)). Qed.

Lemma variance_key i : variance (k i) = variance (g : coin R -> R).
Proof. exact: (variance_copies (inr i) (g : coin R -> R)). Qed.
End Vectors.

(* Sums over a few coins, in the integers where they compute *)
Lemma mean_uniform_int (R : realFieldType) (T : finType) (t0 : T) (X : T -> R) (g : T -> int) :
  (forall w, X w = (g w)%:~R) -> mean (X : uniform R t0 -> R) = (\sum_w g w)%:~R / #|T|%:R.
Proof.
by move=> Xg; rewrite mean_uniform (eq_bigr (fun w => (g w)%:~R)) // rmorph_sum.
Qed.

Lemma sum_bool2 (V : zmodType) (F : bool * bool -> V) : \sum_w F w = \sum_a \sum_b F (a, b).
Proof. by rewrite pair_bigA; apply: eq_bigr => -[]. Qed.

Lemma sum_bool3 (V : zmodType) (F : bool * bool * bool -> V) :
  \sum_w F w = \sum_a \sum_b \sum_c F (a, b, c).
Proof. by rewrite !pair_bigA; apply: eq_bigr => -[[]]. Qed.
