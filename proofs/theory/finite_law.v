From mathcomp Require Import all_ssreflect ssralg ssrnum.
From rootdk.theory Require Import law.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Finite laws over any ordered field, and independence of finite random variables. *)

Record finite_law (R : realFieldType) := FiniteLaw {
  sample : finType;
  weight : sample -> R;
  weight_ge0 : forall w, 0 <= weight w;
  weight_sum1 : \sum_w weight w = 1 }.

Definition law_of_finite (R : realFieldType) (P : finite_law R) : law R :=
  @Law R (sample P) (fun X => \sum_w weight w * X w).
Coercion law_of_finite : finite_law >-> law.
Canonical law_of_finite.

Section Independence.
Variables (R : realFieldType) (P : finite_law R).

Definition independent_pair (A B : eqType) (U : P -> A) (V : P -> B) :=
  forall a b, 'Pr_w[(U w == a) && (V w == b)] = 'Pr_w[U w == a] * 'Pr_w[V w == b].

Definition independent_pairs d (q k : 'I_d -> P -> R) := forall i, independent_pair (q i) (k i).

Definition mutually_independent (I : finType) (A : eqType) (X : I -> P -> A) :=
  forall x : I -> A, 'Pr_w[[forall i, X i w == x i]] = \prod_i 'Pr_w[X i w == x i].

(* q and k as whole vectors; the components of each may depend on one another *)
Definition independent_vectors d (q k : 'I_d -> P -> R) :=
  independent_pair (fun w => [ffun i => q i w]) (fun w => [ffun i => k i w]).
End Independence.

Section Mean.
Variables (R : realFieldType) (P : finite_law R).
Implicit Types X Y : P -> R.

Lemma meanE X : mean X = \sum_w weight w * X w.
Proof. by []. Qed.

Lemma eq_mean X Y : X =1 Y -> mean X = mean Y.
Proof. by move=> XY; apply: eq_bigr => w _; rewrite XY. Qed.

Lemma meanD X Y : 'E_w[X w + Y w] = mean X + mean Y.
Proof. by rewrite -big_split; apply: eq_bigr => w _; rewrite mulrDr. Qed.

Lemma meanZ c X : 'E_w[c * X w] = c * mean X.
Proof. by rewrite !meanE big_distrr; apply: eq_bigr => w _; rewrite mulrCA. Qed.

Lemma meanN X : 'E_w[- X w] = - mean X.
Proof. by rewrite !meanE -sumrN; apply: eq_bigr => w _; rewrite mulrN. Qed.

Lemma meanB X Y : 'E_w[X w - Y w] = mean X - mean Y.
Proof. by rewrite meanD meanN. Qed.

Lemma mean_cst c : mean (fun _ : P => c) = c.
Proof. by rewrite meanE -big_distrl /= weight_sum1 mul1r. Qed.

Lemma mean_eq_cst c X : (forall w, X w = c) -> mean X = c.
Proof. by move=> Xc; rewrite -[RHS]mean_cst; exact: eq_mean. Qed.

Lemma mean_sum (I : Type) (s : seq I) (F : pred I) (X : I -> P -> R) :
  'E_w[\sum_(i <- s | F i) X i w] = \sum_(i <- s | F i) mean (X i).
Proof. by rewrite meanE exchange_big /=; apply: eq_bigr => w _; rewrite big_distrr. Qed.

Lemma mean_ge0 X : (forall w, 0 <= X w) -> 0 <= mean X.
Proof. by move=> X0; apply: sumr_ge0 => w _; rewrite mulr_ge0 ?weight_ge0. Qed.

Lemma variance_ge0 X : 0 <= variance X.
Proof. by apply: mean_ge0 => w; exact: sqr_ge0. Qed.

Lemma eq_variance X Y : X =1 Y -> variance X = variance Y.
Proof. by move=> XY; rewrite /variance (eq_mean XY); apply: eq_mean => w; rewrite XY. Qed.

Lemma eq_prob (A B : P -> bool) : A =1 B -> prob A = prob B.
Proof. by move=> AB; apply: eq_mean => w; rewrite AB. Qed.
End Mean.

(* a random variable on a finite sample space factors through a finite set of values *)
Lemma finite_values (T : finType) (A : choiceType) (X : T -> A) :
  {B : finType & {val : B -> A & {Y : T -> B | injective val & forall w, X w = val (Y w)}}}.
Proof.
pose s := [seq X w | w <- enum T].
have Xs w : X w \in s by rewrite map_f // mem_enum.
by exists [finType of seq_sub s], (@ssval _ s), (fun w => SeqSub (Xs w)) => //; exact: val_inj.
Qed.

Section Product.
Variables (R : realFieldType) (P : finite_law R).

Lemma mean_values (A : finType) (Y : P -> A) (f : A -> R) :
  'E_w[f (Y w)] = \sum_a 'Pr_w[Y w == a] * f a.
Proof.
transitivity ('E_w[\sum_a (Y w == a)%:R * f a]).
  apply: eq_mean => w; rewrite (bigD1 (Y w)) //= eqxx mul1r big1 ?addr0 // => a.
  by rewrite eq_sym => /negbTE ->; rewrite mul0r.
rewrite mean_sum; apply: eq_bigr => a _; rewrite mulrC -meanZ.
by apply: eq_mean => w; rewrite mulrC.
Qed.

(* E f(U) g(V) = E f(U) E g(V) *)
Lemma mean_independent (A B : choiceType) (U : P -> A) (V : P -> B) (f : A -> R) (g : B -> R) :
  independent_pair U V -> 'E_w[f (U w) * g (V w)] = 'E_w[f (U w)] * 'E_w[g (V w)].
Proof.
have [C [u [U' uI UE]]] := finite_values U.
have [D [v [V' vI VE]]] := finite_values V.
move=> UV; transitivity ('E_w[f (u (U' w)) * g (v (V' w))]).
  by apply: eq_mean => w; rewrite UE VE.
rewrite (mean_values (fun w => (U' w, V' w)) (fun p => f (u p.1) * g (v p.2))).
transitivity ('E_w[f (u (U' w))] * 'E_w[g (v (V' w))]); last first.
  by congr (_ * _); apply: eq_mean => w; rewrite ?UE ?VE.
rewrite (mean_values U' (f \o u)) (mean_values V' (g \o v)) big_distrlr pair_bigA /=.
apply: eq_bigr => -[c e] _ /=; rewrite mulrACA; congr (_ * _).
transitivity ('Pr_w[(U w == u c) && (V w == v e)]).
  by apply: eq_prob => w; rewrite xpair_eqE UE VE !inj_eq.
by rewrite UV; congr (_ * _); apply: eq_prob => w; rewrite ?UE ?VE inj_eq.
Qed.

(* functions of independent variables are independent *)
Lemma independent_pair_comp (A B : choiceType) (C D : eqType) (U : P -> A) (V : P -> B)
    (f : A -> C) (g : B -> D) :
  independent_pair U V -> independent_pair (fun w => f (U w)) (fun w => g (V w)).
Proof.
move=> UV c e.
rewrite -(mean_independent (fun a => (f a == c)%:R) (fun b => (g b == e)%:R) UV).
by apply: eq_mean => w; rewrite -natrM mulnb.
Qed.

(* E prod f_i(X_i) = prod E f_i(X_i) *)
Lemma mean_mutual (I : finType) (A : choiceType) (X : I -> P -> A) (f : I -> A -> R) :
  mutually_independent X -> 'E_w[\prod_i f i (X i w)] = \prod_i 'E_w[f i (X i w)].
Proof.
have [B [v [Y vI XE]]] := finite_values (fun p : I * sample P => X p.1 p.2).
have {}XE i w : X i w = v (Y (i, w)) by rewrite -XE.
move=> indep; transitivity ('E_w[\prod_i f i (v ([ffun i => Y (i, w)] i))]).
  by apply: eq_mean => w; apply: eq_bigr => i _; rewrite ffunE XE.
rewrite (mean_values (fun w : P => [ffun i => Y (i, w)]) (fun y => \prod_i f i (v (y i)))).
transitivity (\sum_(y : {ffun I -> B}) \prod_i ('Pr_w[Y (i, w) == y i] * f i (v (y i)))).
  apply: eq_bigr => y _; rewrite big_split; congr (_ * _).
  transitivity ('Pr_w[[forall i, X i w == v (y i)]]).
    apply: eq_prob => w; apply/eqP/forallP => [<- i|h]; first by rewrite XE ffunE.
    by apply/ffunP => i; move: (h i); rewrite ffunE XE inj_eq // => /eqP.
  rewrite indep; apply: eq_bigr => i _; apply: eq_prob => w; by rewrite XE inj_eq.
rewrite -(bigA_distr_bigA (fun i b => 'Pr_w[Y (i, w) == b] * f i (v b))).
apply: eq_bigr => i _; rewrite -(mean_values (fun w : P => Y (i, w)) (f i \o v)).
by apply: eq_mean => w; rewrite XE.
Qed.

Lemma mutual_pair (I : finType) (A : choiceType) (X : I -> P -> A) i j :
  mutually_independent X -> i != j -> independent_pair (X i) (X j).
Proof.
move=> indep ij a b.
pose f k x : R := if k == i then (x == a)%:R else if k == j then (x == b)%:R else 1.
have ji : j == i = false by rewrite eq_sym (negbTE ij).
have one k : k != i -> k != j -> f k =1 fun=> 1 by rewrite /f => /negbTE -> /negbTE ->.
transitivity ('E_w[\prod_k f k (X k w)]).
  apply: eq_mean => w; rewrite (bigD1 i) // (bigD1 j) ?ji //= {1}/f eqxx {1}/f ji eqxx.
  by rewrite big1 ?mulr1 -?natrM ?mulnb // => k /andP[ki kj]; rewrite one.
rewrite mean_mutual // (bigD1 i) // (bigD1 j) ?ji //= big1 ?mulr1.
  by congr (_ * _); apply: eq_mean => w; rewrite /f ?ji eqxx.
move=> k /andP[ki kj]; rewrite -[RHS](mean_cst P 1). apply: eq_mean => w.
by rewrite one.
Qed.
End Product.

Section Vectors.
Variables (R : realFieldType) (P : finite_law R) (d : nat) (q k : 'I_d -> P -> R).

(* mutually_independent => independent_pairs *)
Lemma mutual_pairs : mutually_independent (components q k) -> independent_pairs q k.
Proof. by move=> indep i; exact: (mutual_pair (i := inl i) (j := inr i) indep). Qed.

(* mutually_independent => independent_vectors *)
Lemma mutual_vectors : mutually_independent (components q k) -> independent_vectors q k.
Proof.
move=> indep a b.
have first : 'Pr_w[[ffun i => q i w] == a] = \prod_i 'Pr_w[q i w == a i].
  pose f (p : 'I_d + 'I_d) x : R := if p is inl i then (x == a i)%:R else 1.
  transitivity ('E_w[\prod_p f p (components q k p w)]).
    apply: eq_mean => w; rewrite big_sumType /= [X in _ * X]big1 ?mulr1 //.
    case: eqP => [<-|ne]; first by rewrite big1 // => i _; rewrite ffunE eqxx.
    have [i qi] : exists i, q i w != a i.
      apply/existsP; rewrite -negb_forall; apply/forallP => h; apply: ne.
      by apply/ffunP => i; rewrite ffunE; exact/eqP.
    by rewrite (bigD1 i) //= (negbTE qi) mul0r.
  rewrite mean_mutual // big_sumType /= [X in _ * X]big1 ?mulr1 // => i _.
  exact: mean_cst.
have second : 'Pr_w[[ffun i => k i w] == b] = \prod_i 'Pr_w[k i w == b i].
  pose f (p : 'I_d + 'I_d) x : R := if p is inr i then (x == b i)%:R else 1.
  transitivity ('E_w[\prod_p f p (components q k p w)]).
    apply: eq_mean => w; rewrite big_sumType /= [X in X * _]big1 ?mul1r //.
    case: eqP => [<-|ne]; first by rewrite big1 // => i _; rewrite ffunE eqxx.
    have [i ki] : exists i, k i w != b i.
      apply/existsP; rewrite -negb_forall; apply/forallP => h; apply: ne.
      by apply/ffunP => i; rewrite ffunE; exact/eqP.
    by rewrite (bigD1 i) //= (negbTE ki) mul0r.
  rewrite mean_mutual // big_sumType /= [X in X * _]big1 ?mul1r // => i _.
  exact: mean_cst.
pose y p := match p with inl i => a i | inr i => b i end.
transitivity ('Pr_w[[forall p, components q k p w == y p]]).
  apply: eq_prob => w; apply/andP/forallP => [[/eqP qa /eqP kb] [i|i]|h].
  - by rewrite /= -qa ffunE.
  - by rewrite /= -kb ffunE.
  - split; apply/eqP/ffunP => i; rewrite ffunE; apply/eqP; first exact: (h (inl i)).
    exact: (h (inr i)).
by rewrite indep big_sumType first second.
Qed.

(* the d pairs (U_i, V_i) are mutually independent *)
Lemma mutual_couples :
  mutually_independent (components q k) -> mutually_independent (fun i w => (q i w, k i w)).
Proof.
move=> indep x; pose y p := match p with inl i => (x i).1 | inr i => (x i).2 end.
transitivity ('Pr_w[[forall p, components q k p w == y p]]).
  apply: eq_prob => w; apply/forallP/forallP => [h [i|i]|h i].
  - by rewrite /= -(eqP (h i)).
  - by rewrite /= -(eqP (h i)).
  - move: (h (inl i)) (h (inr i)) => /eqP /= qi /eqP /= ki.
    by rewrite qi ki -surjective_pairing.
rewrite indep big_sumType /= -big_split; apply: eq_bigr => i _.
transitivity ('Pr_w[(q i w == (x i).1) && (k i w == (x i).2)]); last first.
  by apply: eq_prob => w; case: (x i) => a b; rewrite xpair_eqE.
by rewrite (mutual_pairs indep i).
Qed.

(* so are the d products U_i V_i, two by two *)
Lemma mutual_products i j : mutually_independent (components q k) -> i != j ->
  independent_pair (fun w => q i w * k i w) (fun w => q j w * k j w).
Proof.
move=> /mutual_couples indep ij.
exact: (independent_pair_comp (fun p : R * R => p.1 * p.2) (fun p : R * R => p.1 * p.2)
         (mutual_pair indep ij)).
Qed.
End Vectors.
