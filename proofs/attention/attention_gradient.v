From mathcomp Require Import all_ssreflect ssralg ssrnum zmodp matrix.
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp.analysis Require Import reals ereal signed topology normedtype sequences derive.
From mathcomp.analysis Require Import realfun exp.
From rootdk.theory Require Import simplex softmax.
From rootdk.softmax Require Import softmax_chain_rule.
From rootdk.attention Require Import attention_definition.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Def Num.Theory.
Import numFieldNormedType.Exports.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

(* Step 21. The backward pass of attention is the derivative of the loss *)

(* <A, B> *)
Definition inner (R : ringType) p q (A B : 'M[R]_(p, q)) : R := \sum_i \sum_j A i j * B i j.

Section Inner.
Variable R : comRingType.

Lemma inner_trace p q (A B : 'M[R]_(p, q)) : inner A B = \tr (A^T *m B).
Proof.
rewrite /inner exchange_big; apply: eq_bigr => j _.
by rewrite mxE; apply: eq_bigr => i _; rewrite mxE.
Qed.

Lemma inner_mulmxl p q r (A : 'M[R]_(p, q)) (B : 'M_(p, r)) (C : 'M_(r, q)) :
  inner A (B *m C) = inner (B^T *m A) C.
Proof. by rewrite !inner_trace trmx_mul trmxK mulmxA. Qed.

Lemma inner_tr p q (A B : 'M[R]_(p, q)) : inner A^T B^T = inner A B.
Proof. by rewrite /inner exchange_big; do 2!apply: eq_bigr => ? _; rewrite !mxE. Qed.

Lemma inner_mulmxr p q r (A : 'M[R]_(p, q)) (B : 'M_(p, r)) (C : 'M_(r, q)) :
  inner A (B *m C) = inner (A *m C^T) B.
Proof. by rewrite -inner_tr trmx_mul inner_mulmxl trmxK -inner_tr trmx_mul !trmxK. Qed.

Lemma innerDr p q (A B C : 'M[R]_(p, q)) : inner A (B + C) = inner A B + inner A C.
Proof.
rewrite -big_split; apply: eq_bigr => i _; rewrite -big_split; apply: eq_bigr => j _.
by rewrite mxE mulrDr.
Qed.

Lemma innerDl p q (A B C : 'M[R]_(p, q)) : inner (A + B) C = inner A C + inner B C.
Proof.
rewrite -big_split; apply: eq_bigr => i _; rewrite -big_split; apply: eq_bigr => j _.
by rewrite mxE mulrDl.
Qed.

Lemma innerZr p q (c : R) (A B : 'M[R]_(p, q)) : inner A (c *: B) = inner (c *: A) B.
Proof.
by apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite !mxE mulrCA mulrA.
Qed.

Lemma innerC p q (A B : 'M[R]_(p, q)) : inner A B = inner B A.
Proof. by apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite mulrC. Qed.

Lemma inner0r p q (A : 'M[R]_(p, q)) : inner A 0 = 0.
Proof. by rewrite /inner big1 // => i _; rewrite big1 // => j _; rewrite mxE mulr0. Qed.

Lemma inner_delta p q (A : 'M[R]_(p, q)) i j : inner A (delta_mx i j) = A i j.
Proof.
rewrite /inner (bigD1 i) //= (bigD1 j) //= mxE !eqxx mulr1 !big1 ?addr0 //.
  by move=> k /negbTE ki; rewrite big1 // => l _; rewrite mxE ki mulr0.
by move=> l /negbTE lj; rewrite mxE lj andbF mulr0.
Qed.
End Inner.

(* F is differentiable at M, with the gradient G *)
Definition has_gradient (R : realType) p q (F : 'M[R]_(p.+1, q.+1) -> R) M G :=
  differentiable F M /\ gradient F M = G.

(* Differentials of functions of a point of any normed space *)
Section Differentials.
Variables (R : realType) (T : normedModType R) (x : T).

Lemma eq_is_diff (W : normedModType R) (f g df dg : T -> W) :
  f =1 g -> df =1 dg -> is_diff x g dg -> is_diff x f df.
Proof. by move=> /funext -> /funext ->. Qed.

Lemma is_diff_sum (W : normedModType R) n (f df : 'I_n -> T -> W) :
  (forall i, is_diff x (f i) (df i)) ->
  is_diff x (fun y => \sum_i f i y) (fun v => \sum_i df i v).
Proof.
elim: n f df => [|n IH] f df h.
  by apply: (eq_is_diff _ _ (is_diff_cst (0 : W) x)) => y; rewrite big_ord0.
have hn := is_diffD (IH _ _ (fun i => h (widen_ord (leqnSn n) i))) (h ord_max).
by apply: (eq_is_diff _ _ hn) => y; rewrite big_ord_recr.
Qed.

Section Numbers.
Variables f df g dg : T -> R.
Hypotheses (fd : is_diff x f df) (gd : is_diff x g dg).

Lemma is_diff_mul : is_diff x (fun y => f y * g y) (fun v => df v * g x + f x * dg v).
Proof.
have h := is_diffM fd gd.
by apply: (eq_is_diff _ _ h) => v //; rewrite addrC [df v * _]mulrC.
Qed.

Lemma is_diff_exp : is_diff x (fun y => expR (f y)) (fun v => expR (f x) * df v).
Proof.
have fdiff : differentiable f x by exact: ex_diff.
have ed : differentiable (@expR R) (f x) by apply/derivable1_diffP; exact: derivable_expR.
have comp : differentiable ((@expR R) \o f) x by exact: differentiable_comp.
apply: (DiffDef _ comp); rewrite (diff_comp fdiff ed) (diff1E ed) diff_val; apply/funext => v /=.
by rewrite derive1E (@derive_val _ _ _ _ _ _ _ (is_derive_expR _)) [LHS]mulrC.
Qed.

Lemma is_diff_inv : f x != 0 -> is_diff x (fun y => (f y)^-1) (fun v => - (f x) ^- 2 * df v).
Proof.
move=> f0; have fdiff : differentiable f x by exact: ex_diff.
apply: DiffDef; first exact: differentiableV.
by rewrite diffV // diff_val.
Qed.
End Numbers.

Lemma is_diff_entry p q (F dF : T -> 'M[R]_(p.+1, q.+1)) i j :
  is_diff x F dF -> is_diff x (fun y => F y i j : R) (fun v => dF v i j : R).
Proof.
move=> Fd; have lin : linear (fun M : 'M[R]_(p.+1, q.+1) => M i j : R^o).
  by move=> a u v; rewrite !mxE.
have cd : is_diff (F x) (fun M : 'M[R]_(p.+1, q.+1) => M i j : R) (fun M => M i j : R).
  apply: DiffDef; first exact: differentiable_coord.
  by apply: (@diff_lin _ _ _ (Linear lin)) => M; exact: coord_continuous.
exact: (is_diff_comp Fd cd).
Qed.

Lemma is_diff_matrix p q (F dF : T -> 'M[R]_(p.+1, q.+1)) :
  (forall i j, is_diff x (fun y => F y i j : R) (fun v => dF v i j : R)) -> is_diff x F dF.
Proof.
move=> h; have sumE (H : T -> 'M[R]_(p.+1, q.+1)) :
    H = fun y => \sum_i \sum_j H y i j *: delta_mx i j.
  by apply/funext => y; exact: matrix_sum_delta.
rewrite (sumE F) (sumE dF); apply: is_diff_sum => i; apply: is_diff_sum => j.
exact: (is_diff_comp (h i j) (is_diff_scalel _ _)).
Qed.

Lemma is_diff_mulmx p q r (F dF : T -> 'M[R]_(p.+1, q.+1)) (G dG : T -> 'M[R]_(q.+1, r.+1)) :
  is_diff x F dF -> is_diff x G dG ->
  is_diff x (fun y => F y *m G y) (fun v => dF v *m G x + F x *m dG v).
Proof.
move=> Fd Gd; apply: is_diff_matrix => i j.
have h : is_diff x (fun y => \sum_k F y i k * G y k j)
    (fun v => \sum_k (dF v i k * G x k j + F x i k * dG v k j)).
  by apply: is_diff_sum => k; apply: is_diff_mul; exact: is_diff_entry.
by apply: (eq_is_diff _ _ h) => y; rewrite ?big_split !mxE.
Qed.

Lemma is_diff_mulmxl p q r (F dF : T -> 'M[R]_(p.+1, q.+1)) (M : 'M[R]_(q.+1, r.+1)) :
  is_diff x F dF -> is_diff x (fun y => F y *m M) (fun v => dF v *m M).
Proof.
move=> Fd; apply: (eq_is_diff _ _ (is_diff_mulmx Fd (is_diff_cst M x))) => v //.
by rewrite mulmx0 addr0.
Qed.

Lemma is_diff_mulmxr p q r (M : 'M[R]_(p.+1, q.+1)) (G dG : T -> 'M[R]_(q.+1, r.+1)) :
  is_diff x G dG -> is_diff x (fun y => M *m G y) (fun v => M *m dG v).
Proof.
move=> Gd; apply: (eq_is_diff _ _ (is_diff_mulmx (is_diff_cst M x) Gd)) => v //.
by rewrite mul0mx add0r.
Qed.

Lemma is_diff_trmx p q (F dF : T -> 'M[R]_(p.+1, q.+1)) :
  is_diff x F dF -> is_diff x (fun y => (F y)^T) (fun v => (dF v)^T).
Proof.
move=> Fd; apply: is_diff_matrix => i j.
by apply: (eq_is_diff _ _ (is_diff_entry j i Fd)) => y; rewrite mxE.
Qed.
End Differentials.

(* dS_i = J(A_i) dA_i by rows *)
Definition score_gradient (R : realType) n m (A dA : 'M[R]_(n, m)) : 'M[R]_(n, m) :=
  \matrix_(i, j) \sum_k jac (A i) j k * dA i k.

Section Rows.
Variables (R : realType) (n m : nat) (visible : 'I_n.+1 -> 'I_m.+1 -> bool).
Implicit Types S dS : 'M[R]_(n.+1, m.+1).

Definition row_weights S : 'M[R]_(n.+1, m.+1) := \matrix_(i, j) softmax (masked visible S i) j.

Lemma row_weightsE S i j : row_weights S i j =
  (visible i j)%:R * expR (S i j) * (\sum_k (visible i k)%:R * expR (S i k))^-1.
Proof. by rewrite mxE /softmax masked_weight; under eq_bigr do rewrite masked_weight. Qed.

Lemma hidden_weight S i j : ~~ visible i j -> row_weights S i j = 0.
Proof. by rewrite row_weightsE => /negbTE ->; rewrite !mul0r. Qed.

Lemma inner_score_gradient (A dA dS : 'M[R]_(n.+1, m.+1)) :
  inner dA (score_gradient A dS) = inner (score_gradient A dA) dS.
Proof.
have sym i j k : jac (A i) j k = jac (A i) k j.
  by rewrite !mxE [k == j]eq_sym; case: eqP => [->//|_]; rewrite !sub0r !mulrN mulrC.
apply: eq_bigr => i _; under eq_bigr do rewrite mxE mulr_sumr.
rewrite exchange_big; apply: eq_bigr => k _; rewrite mxE mulr_suml; apply: eq_bigr => j _.
by rewrite sym mulrCA mulrA.
Qed.

Variables (T : normedModType R) (x : T).

(* also where no key is seen: the weights are 0 and stay 0 *)
Lemma is_diff_row_weights (S dS : T -> 'M[R]_(n.+1, m.+1)) : is_diff x S dS ->
  is_diff x (fun y => row_weights (S y)) (fun v => score_gradient (row_weights (S x)) (dS v)).
Proof.
move=> Sd; apply: is_diff_matrix => i j.
pose w k y : R := (visible i k)%:R * expR (S y i k).
pose dw k v : R := w k x * dS v i k.
have wd k : is_diff x (w k) (dw k).
  have ed := is_diff_exp (is_diff_entry i k Sd).
  have h := is_diff_mul (is_diff_cst ((visible i k)%:R : R) x) ed.
  apply: (eq_is_diff _ _ h) => v //; rewrite /dw /w /= [0 v]/(0 : R) mul0r add0r.
  by rewrite mulrA.
pose Z y : R := \sum_k w k y.
have Zd : is_diff x Z (fun v => \sum_k dw k v) by exact: is_diff_sum.
have AE y k : row_weights (S y) i k = w k y * (Z y)^-1 by rewrite row_weightsE.
have [Z0|Z0] := eqVneq (Z x) 0; last first.
  have h := is_diff_mul (wd j) (is_diff_inv Zd Z0).
  apply: (eq_is_diff _ _ h) => [y|v]; first exact: AE.
  rewrite mxE; set A := row_weights (S x).
  transitivity (A i j * dS v i j - A i j * \sum_k A i k * dS v i k).
    rewrite mulr_sumr -(sum_delta j (fun k => A i j * dS v i k)) -sumrB.
    by apply: eq_bigr => k _; rewrite mxE mulrBr mulrBl mulrA [A i j * (j == k)%:R]mulrC !mulrA.
  rewrite /A AE /dw mulrAC; congr (_ + _).
  under eq_bigr do rewrite AE mulrAC; rewrite -mulr_suml -/(dw _ _).
  by rewrite !mulNr mulrN; congr (- _); rewrite mulrACA -invfM -expr2 -mulrA; congr (_ * _); rewrite mulrC.
have hidden k : ~~ visible i k.
  apply/negP => vk; move: Z0; rewrite /Z (bigD1 k) //= => /eqP; rewrite gt_eqF //.
  rewrite ltr_spaddl //; first by rewrite /w vk mul1r expR_gt0.
  by apply: sumr_ge0 => l _; rewrite mulr_ge0 ?ler0n // ltW ?expR_gt0.
apply: (eq_is_diff _ _ (is_diff_cst (0 : R) x)) => [y|v]; first exact: hidden_weight.
by rewrite mxE big1 // => k _; rewrite mxE hidden_weight // !mul0r.
Qed.
End Rows.

(* the change of the loss is <dQ, change of Q> + <dK, change of K> + <dV, change of V> *)
Section Loss.
Variables (R : realType) (n m d dv : nat) (visible : 'I_n.+1 -> 'I_m.+1 -> bool).
Variables (T : normedModType R) (x : T).
Variables (Q Q' : T -> 'M[R]_(n.+1, d.+1)) (K K' : T -> 'M[R]_(m.+1, d.+1)).
Variables (V V' : T -> 'M[R]_(m.+1, dv.+1)) (L : 'M[R]_(n.+1, dv.+1) -> R).
Hypotheses (Qd : is_diff x Q Q') (Kd : is_diff x K K') (Vd : is_diff x V V').
Let O y := attention visible (Q y) (K y) (V y).
Hypothesis Ld : differentiable L (O x).

Let A := attention_weights visible (Q x) (K x).
Let dO := gradient L (O x).
Let dA := dO *m (V x)^T.
Let dS := score_gradient A dA.
Let c := (Num.sqrt d.+1%:R : R)^-1.

Lemma is_diff_attention_loss : is_diff x (fun y => L (O y)) (fun v =>
  inner (c *: (dS *m K x)) (Q' v) + inner (c *: (dS^T *m Q x)) (K' v) + inner (A^T *m dO) (V' v)).
Proof.
pose S' v := c *: (Q' v *m (K x)^T + Q x *m (K' v)^T).
have Sd : is_diff x (fun y => scores (Q y) (K y)) S'.
  exact: (is_diffZ c (is_diff_mulmx Qd (is_diff_trmx Kd))).
pose O' v := score_gradient A (S' v) *m V x + A *m V' v.
have Od : is_diff x O O' := is_diff_mulmx (is_diff_row_weights visible Sd) Vd.
have LOd : is_diff x (L \o O) ('d L (O x) \o O').
  exact: (is_diff_comp Od (differentiableP Ld)).
apply: (eq_is_diff _ _ LOd) => // v /=.
rewrite differential_gradient // -/(inner _ _) -/dO innerDr; congr (_ + _); last first.
  by rewrite inner_mulmxl.
rewrite inner_mulmxr -/dA inner_score_gradient -/dS innerZr innerDr; congr (_ + _).
  by rewrite inner_mulmxr trmxK scalemxAl.
by rewrite inner_mulmxl -inner_tr trmxK trmx_mul trmxK linearZ /= scalemxAl.
Qed.
End Loss.

Section HasGradient.
Variables (R : realType) (n m d dv p q : nat) (visible : 'I_n.+1 -> 'I_m.+1 -> bool).
Variable M : 'M[R]_(p.+1, q.+1).

Lemma has_gradientP (F dF : 'M[R]_(p.+1, q.+1) -> R) G :
  is_diff M F dF -> (forall v, dF v = inner G v) -> has_gradient F M G.
Proof.
move=> Fd h; split; first exact: ex_diff.
by apply/matrixP => i j; rewrite mxE diff_val h inner_delta.
Qed.

Variables (Q Q' : 'M[R]_(p.+1, q.+1) -> 'M[R]_(n.+1, d.+1)).
Variables (K K' : 'M[R]_(p.+1, q.+1) -> 'M[R]_(m.+1, d.+1)).
Variables (V V' : 'M[R]_(p.+1, q.+1) -> 'M[R]_(m.+1, dv.+1)) (L : 'M[R]_(n.+1, dv.+1) -> R).
Hypotheses (Qd : is_diff M Q Q') (Kd : is_diff M K K') (Vd : is_diff M V V').
Hypothesis Ld : differentiable L (attention visible (Q M) (K M) (V M)).

Let A := attention_weights visible (Q M) (K M).
Let dO := gradient L (attention visible (Q M) (K M) (V M)).
Let dS := score_gradient A (dO *m (V M)^T).
Let c := (Num.sqrt d.+1%:R : R)^-1.

Lemma attention_has_gradient G :
  (forall v, inner (c *: (dS *m K M)) (Q' v) + inner (c *: (dS^T *m Q M)) (K' v) +
    inner (A^T *m dO) (V' v) = inner G v) ->
  has_gradient (fun y => L (attention visible (Q y) (K y) (V y))) M G.
Proof. by move=> h; apply: has_gradientP (is_diff_attention_loss Qd Kd Vd Ld) _. Qed.
End HasGradient.

Lemma is_diff_const (R : realType) p q r s (M : 'M[R]_(p.+1, q.+1)) (P : 'M[R]_(r.+1, s.+1)) :
  is_diff P (fun=> M) (fun=> 0).
Proof. exact: is_diff_cst. Qed.

(* No key need be visible: a query that sees none has the weights 0 here (0/0 is 0 in Coq), so its
   output is the constant row 0 with the gradient 0, as in the code. *)
(* [statement:attention_gradient] *)
Theorem attention_gradient (R : realType) (n m d dv : nat)
    (Q : 'M[R]_(n.+1, d.+1)) (K : 'M[R]_(m.+1, d.+1)) (V : 'M[R]_(m.+1, dv.+1))
    (visible : 'I_n.+1 -> 'I_m.+1 -> bool) (L : 'M[R]_(n.+1, dv.+1) -> R)
    (A := attention_weights visible Q K) (O := attention visible Q K V)
    (H_differentiable_loss : differentiable_loss L O)
    (dO := gradient L O) (dV := A^T *m dO) (dA := dO *m V^T) (dS := score_gradient A dA)
    (dQ := (Num.sqrt d.+1%:R)^-1 *: (dS *m K)) (dK := (Num.sqrt d.+1%:R)^-1 *: (dS^T *m Q)) :
  [/\ has_gradient (fun Q => L (attention visible Q K V)) Q dQ,
      has_gradient (fun K => L (attention visible Q K V)) K dK,
      has_gradient (fun V => L (attention visible Q K V)) V dV,
      has_gradient (fun A => L (A *m V)) A dA
    & has_gradient (fun S => L (row_weights visible S *m V)) (scores Q K) dS /\
      forall i j, ~~ visible i j -> dS i j = 0].
(* [statement:attention_gradient] *)
(* [proof:attention_gradient] *)
Proof.
split.
- apply: (attention_has_gradient (is_diff_id Q) (is_diff_const K Q) (is_diff_const V Q)) => // v.
  by rewrite !inner0r !addr0.
- apply: (attention_has_gradient (is_diff_const Q K) (is_diff_id K) (is_diff_const V K)) => // v.
  by rewrite !inner0r add0r addr0.
- apply: (attention_has_gradient (is_diff_const Q V) (is_diff_const K V) (is_diff_id V)) => // v.
  by rewrite !inner0r !add0r.
- have Od := is_diff_mulmxl V (is_diff_id A).
  apply: (has_gradientP (is_diff_comp Od (differentiableP H_differentiable_loss))) => v /=.
  by rewrite differential_gradient // -/(inner _ _) inner_mulmxr.
split; last by move=> i j hidden; rewrite mxE big1 // => k _; rewrite mxE hidden_weight // !mul0r.
have Od := is_diff_mulmxl V (is_diff_row_weights visible (is_diff_id (scores Q K))).
apply: (has_gradientP (is_diff_comp Od (differentiableP H_differentiable_loss))) => v /=.
by rewrite differential_gradient // -/(inner _ _) inner_mulmxr inner_score_gradient.
Qed.
(* [proof:attention_gradient] *)

(* [statement:attention_gradient_inputs] *)
Theorem attention_gradient_inputs (R : realType) (n m d dv D D' : nat)
    (X : 'M[R]_(n.+1, D.+1)) (Y : 'M[R]_(m.+1, D'.+1)) (W_Q : 'M[R]_(D.+1, d.+1))
    (W_K : 'M[R]_(D'.+1, d.+1)) (W_V : 'M[R]_(D'.+1, dv.+1))
    (visible : 'I_n.+1 -> 'I_m.+1 -> bool) (L : 'M[R]_(n.+1, dv.+1) -> R)
    (layer := fun X Y W_Q W_K W_V => attention visible (X *m W_Q) (Y *m W_K) (Y *m W_V))
    (Q := X *m W_Q) (K := Y *m W_K) (V := Y *m W_V)
    (A := attention_weights visible Q K) (O := attention visible Q K V)
    (H_differentiable_loss : differentiable_loss L O)
    (dO := gradient L O) (dV := A^T *m dO) (dA := dO *m V^T) (dS := score_gradient A dA)
    (dQ := (Num.sqrt d.+1%:R)^-1 *: (dS *m K)) (dK := (Num.sqrt d.+1%:R)^-1 *: (dS^T *m Q)) :
  [/\ has_gradient (fun W_Q => L (layer X Y W_Q W_K W_V)) W_Q (X^T *m dQ),
      has_gradient (fun W_K => L (layer X Y W_Q W_K W_V)) W_K (Y^T *m dK),
      has_gradient (fun W_V => L (layer X Y W_Q W_K W_V)) W_V (Y^T *m dV),
      has_gradient (fun X => L (layer X Y W_Q W_K W_V)) X (dQ *m W_Q^T)
    & has_gradient (fun Y => L (layer X Y W_Q W_K W_V)) Y (dK *m W_K^T + dV *m W_V^T)].
(* [statement:attention_gradient_inputs] *)
(* [proof:attention_gradient_inputs] *)
Proof.
split.
- apply: (attention_has_gradient (is_diff_mulmxr X (is_diff_id W_Q)) (is_diff_const K W_Q)
    (is_diff_const V W_Q)) => // v.
  by rewrite !inner0r !addr0 inner_mulmxl.
- apply: (attention_has_gradient (is_diff_const Q W_K) (is_diff_mulmxr Y (is_diff_id W_K))
    (is_diff_const V W_K)) => // v.
  by rewrite !inner0r add0r addr0 inner_mulmxl.
- apply: (attention_has_gradient (is_diff_const Q W_V) (is_diff_const K W_V)
    (is_diff_mulmxr Y (is_diff_id W_V))) => // v.
  by rewrite !inner0r !add0r inner_mulmxl.
- apply: (attention_has_gradient (is_diff_mulmxl W_Q (is_diff_id X)) (is_diff_const K X)
    (is_diff_const V X)) => // v.
  by rewrite !inner0r !addr0 inner_mulmxr.
- apply: (attention_has_gradient (is_diff_const Q Y) (is_diff_mulmxl W_K (is_diff_id Y))
    (is_diff_mulmxl W_V (is_diff_id Y))) => // v.
  by rewrite inner0r add0r innerDl !inner_mulmxr.
Qed.
(* [proof:attention_gradient_inputs] *)

(* self-attention: X = Y *)
(* [statement:attention_gradient_self] *)
Theorem attention_gradient_self (R : realType) (n d dv D : nat) (X : 'M[R]_(n.+1, D.+1))
    (W_Q W_K : 'M[R]_(D.+1, d.+1)) (W_V : 'M[R]_(D.+1, dv.+1))
    (visible : 'I_n.+1 -> 'I_n.+1 -> bool) (L : 'M[R]_(n.+1, dv.+1) -> R)
    (Q := X *m W_Q) (K := X *m W_K) (V := X *m W_V)
    (A := attention_weights visible Q K) (O := attention visible Q K V)
    (H_differentiable_loss : differentiable_loss L O)
    (dO := gradient L O) (dV := A^T *m dO) (dA := dO *m V^T) (dS := score_gradient A dA)
    (dQ := (Num.sqrt d.+1%:R)^-1 *: (dS *m K)) (dK := (Num.sqrt d.+1%:R)^-1 *: (dS^T *m Q)) :
  has_gradient (fun X => L (attention visible (X *m W_Q) (X *m W_K) (X *m W_V))) X
    (dQ *m W_Q^T + (dK *m W_K^T + dV *m W_V^T)).
(* [statement:attention_gradient_self] *)
(* [proof:attention_gradient_self] *)
Proof.
apply: (attention_has_gradient (is_diff_mulmxl W_Q (is_diff_id X))
  (is_diff_mulmxl W_K (is_diff_id X)) (is_diff_mulmxl W_V (is_diff_id X))) => // v.
by rewrite !innerDl !inner_mulmxr addrA.
Qed.
(* [proof:attention_gradient_self] *)

(* The loss O_11 where all scores are 0 and every key is seen: all weights are 1/2 *)
Section Examples.
Variable R : realType.

Lemma entry_loss p q (O : 'M[R]_(p.+1, q.+1)) : differentiable_loss (fun O => O 0 0 : R) O.
Proof. exact: differentiable_coord. Qed.

Lemma entry_gradient p q (O : 'M[R]_(p.+1, q.+1)) : gradient (fun O => O 0 0 : R) O = delta_mx 0 0.
Proof.
have h (v : 'M[R]_(p.+1, q.+1)) : v 0 0 = inner (delta_mx 0 0) v by rewrite innerC inner_delta.
by case: (has_gradientP (is_diff_entry 0 0 (is_diff_id O)) h).
Qed.

Lemma equal_weights n d (Q : 'M[R]_(n, d)) (K : 'M[R]_(2, d)) :
  scores Q K = 0 -> attention_weights (fun _ _ => true) Q K = const_mx 2%:R^-1.
Proof.
move=> S0; apply/matrixP => i j; rewrite !mxE S0.
rewrite (_ : masked _ _ _ = fun=> (0 : R)%:E); last by apply/funext => k; rewrite /masked mxE.
by rewrite (softmaxE (fun=> 0)) /softmaxr expR0 !big_ord_recl big_ord0 addr0 mul1r.
Qed.

Lemma equal_weights_gradient n q : (const_mx 2%:R^-1 : 'M[R]_(n.+1, 2))^T *m delta_mx 0 0 =
  \matrix_(j, c) (2%:R^-1 * (c == 0 :> 'I_q.+1)%:R).
Proof.
apply/matrixP => j c; rewrite !mxE (bigD1 ord0) //= big1 => [|i i0].
  by rewrite !mxE eqxx addr0.
by rewrite !mxE (negbTE i0) mulr0.
Qed.

(* one query, two keys: the gradient by the values is (1/2, 1/2) *)
(* [statement:attention_gradient_instance] *)
Example attention_gradient_instance (visible := fun (_ : 'I_1) (_ : 'I_2) => true)
    (Q : 'M[R]_(1, 1) := 0) (K : 'M[R]_(2, 1) := 0) (V : 'M[R]_(2, 1) := 0)
    (L := fun O : 'M[R]_(1, 1) => O 0 0 : R) :
  differentiable_loss L (attention visible Q K V) /\
  has_gradient (fun V => L (attention visible Q K V)) V (const_mx 2%:R^-1).
(* [statement:attention_gradient_instance] *)
(* [proof:attention_gradient_instance] *)
Proof.
have dL := entry_loss (attention visible Q K V); split=> //.
have [_ _ h _ _] := attention_gradient dL; move: h.
rewrite entry_gradient equal_weights ?equal_weights_gradient; last first.
  by rewrite /scores mul0mx scaler0.
by congr has_gradient; apply/matrixP => j c; rewrite !mxE (ord1 c) eqxx mulr1.
Qed.
(* [proof:attention_gradient_instance] *)

(* Y = (1, 1): the output is the projection of the values itself, with the gradient 1 *)
(* [statement:attention_gradient_inputs_instance] *)
Example attention_gradient_inputs_instance (visible := fun (_ : 'I_1) (_ : 'I_2) => true)
    (X : 'M[R]_(1, 1) := 0) (Y : 'M[R]_(2, 1) := const_mx 1)
    (W_Q : 'M[R]_(1, 1) := 0) (W_K : 'M[R]_(1, 1) := 0) (W_V : 'M[R]_(1, 1) := 0)
    (L := fun O : 'M[R]_(1, 1) => O 0 0 : R) :
  differentiable_loss L (attention visible (X *m W_Q) (Y *m W_K) (Y *m W_V)) /\
  has_gradient (fun W_V => L (attention visible (X *m W_Q) (Y *m W_K) (Y *m W_V))) W_V (const_mx 1).
(* [statement:attention_gradient_inputs_instance] *)
(* [proof:attention_gradient_inputs_instance] *)
Proof.
have dL := entry_loss (attention visible (X *m W_Q) (Y *m W_K) (Y *m W_V)); split=> //.
have [_ _ h _ _] := attention_gradient_inputs dL; move: h.
rewrite entry_gradient equal_weights ?equal_weights_gradient; last first.
  by rewrite /scores !mul0mx scaler0.
congr has_gradient; apply/matrixP => j c; rewrite !mxE !big_ord_recl big_ord0 !mxE (ord1 c) eqxx.
by rewrite !mulr1 !mul1r addr0 -mulr2n -[LHS]mulr_natr mulVf ?pnatr_eq0.
Qed.
(* [proof:attention_gradient_inputs_instance] *)

(* two inputs: each has the gradient 1/2, by way of the values *)
(* [statement:attention_gradient_self_instance] *)
Example attention_gradient_self_instance (visible := fun _ _ : 'I_2 => true)
    (X : 'M[R]_(2, 1) := const_mx 1)
    (W_Q : 'M[R]_(1, 1) := 0) (W_K : 'M[R]_(1, 1) := 0) (W_V : 'M[R]_(1, 1) := 1%:M)
    (L := fun O : 'M[R]_(2, 1) => O 0 0 : R) :
  differentiable_loss L (attention visible (X *m W_Q) (X *m W_K) (X *m W_V)) /\
  has_gradient (fun X => L (attention visible (X *m W_Q) (X *m W_K) (X *m W_V))) X
    (const_mx 2%:R^-1).
(* [statement:attention_gradient_self_instance] *)
(* [proof:attention_gradient_self_instance] *)
Proof.
have dL := entry_loss (attention visible (X *m W_Q) (X *m W_K) (X *m W_V)); split=> //.
have := attention_gradient_self dL; lazy zeta.
rewrite entry_gradient equal_weights ?equal_weights_gradient; last first.
  by rewrite /scores mulmx0 mul0mx scaler0.
rewrite trmx0 !mulmx0 !add0r trmx1 mulmx1.
by congr has_gradient; apply/matrixP => j c; rewrite !mxE (ord1 c) eqxx mulr1.
Qed.
(* [proof:attention_gradient_self_instance] *)

(* q = 1, k = (0, 0), V = 1, so that O = A, and L = u^2 v/(u^2 + v^2) with (u, v) = O - (1/2, 1/2):
   both partial derivatives of L are 0, so that the formulas give dK = 0, and the derivative by the
   first key is -1/8 *)
(* [statement:attention_gradient_without_differentiable_loss] *)
Example attention_gradient_without_differentiable_loss
    (visible := fun (_ : 'I_1) (_ : 'I_2) => true)
    (Q : 'M[R]_(1, 1) := 1%:M) (K : 'M[R]_(2, 1) := 0) (V : 'M[R]_(2, 2) := 1%:M)
    (u := fun O : 'M[R]_(1, 2) => O 0 0 - 2%:R^-1) (v := fun O : 'M[R]_(1, 2) => O 0 1 - 2%:R^-1)
    (L := fun O => u O ^+ 2 * v O / (u O ^+ 2 + v O ^+ 2)) :
  (forall c, is_derive (0 : R) 1 (fun t => L (attention visible Q K V + t *: delta_mx 0 c)) 0) /\
  is_derive (0 : R) 1 (fun t => L (attention visible Q (K + t *: delta_mx 0 0) V)) (- 8%:R^-1).
(* [statement:attention_gradient_without_differentiable_loss] *)
(* [proof:attention_gradient_without_differentiable_loss] *)
Proof.
have [_ d1 d2] := softmax_chain_rule_without_differentiable_loss R.
have O1 t : attention visible Q (K + t *: delta_mx 0 0) V =
    softmax_row (fun k => 0 + (t * (k == 0)%:R)%:E)%E.
  rewrite /attention mulmx1; apply/matrixP => i j; rewrite (ord1 i) !mxE.
  congr (softmax _ j); apply/funext => k.
  rewrite /masked /scores mul1mx add0r sqrtr1 invr1 scale1r add0e !mxE.
  by rewrite eqxx andbT.
split=> [c|].
  rewrite (_ : attention visible Q K V = softmax_row (fun=> 0%E)); first exact: d1.
  have := O1 0; rewrite scale0r addr0 => ->; congr softmax_row; apply/funext => k.
  by rewrite mul0r adde0.
rewrite (_ : (fun t => _) = fun t => L (softmax_row (fun k => 0 + (t * (k == 0)%:R)%:E)%E)).
  exact: d2.
by apply/funext => t; rewrite O1.
Qed.
(* [proof:attention_gradient_without_differentiable_loss] *)

(* the same with the identity as inputs *)
(* [statement:attention_gradient_inputs_without_differentiable_loss] *)
Example attention_gradient_inputs_without_differentiable_loss
    (visible := fun (_ : 'I_1) (_ : 'I_2) => true)
    (X : 'M[R]_(1, 1) := 1%:M) (Y : 'M[R]_(2, 2) := 1%:M)
    (W_Q : 'M[R]_(1, 1) := 1%:M) (W_K : 'M[R]_(2, 1) := 0) (W_V : 'M[R]_(2, 2) := 1%:M)
    (u := fun O : 'M[R]_(1, 2) => O 0 0 - 2%:R^-1) (v := fun O : 'M[R]_(1, 2) => O 0 1 - 2%:R^-1)
    (L := fun O => u O ^+ 2 * v O / (u O ^+ 2 + v O ^+ 2))
    (layer := fun W_K => attention visible (X *m W_Q) (Y *m W_K) (Y *m W_V)) :
  (forall c, is_derive (0 : R) 1 (fun t => L (layer W_K + t *: delta_mx 0 c)) 0) /\
  is_derive (0 : R) 1 (fun t => L (layer (W_K + t *: delta_mx 0 0))) (- 8%:R^-1).
(* [statement:attention_gradient_inputs_without_differentiable_loss] *)
(* [proof:attention_gradient_inputs_without_differentiable_loss] *)
Proof.
have [d1 d2] := attention_gradient_without_differentiable_loss.
have layerE K : layer K = attention visible 1%:M K 1%:M by rewrite /layer /X /Y !mul1mx.
split=> [c|]; first by rewrite layerE; exact: d1.
rewrite (_ : (fun t => _) = fun t => L (attention visible 1%:M (W_K + t *: delta_mx 0 0) 1%:M)).
  exact: d2.
by apply/funext => t; rewrite layerE.
Qed.
(* [proof:attention_gradient_inputs_without_differentiable_loss] *)
End Examples.
