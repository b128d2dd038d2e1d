From mathcomp Require Import all_ssreflect ssralg ssrnum.
From rootdk.theory Require Import simplex.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Step 11. The dot product as a measure of similarity *)

Section Vectors.
Variables (R : rcfType) (n : nat).
Implicit Types a b : 'I_n -> R.

Definition inner a b := \sum_i a i * b i.
Definition norm a := Num.sqrt (\sum_i a i ^+ 2).
Definition cosine a b := inner a b / (norm a * norm b).

Definition aligned a b := exists2 t, 0 < t & forall i, b i = t * a i.
Definition opposed a b := exists2 t, t < 0 & forall i, b i = t * a i.
(* Pythagoras: |a + b|^2 = |a|^2 + |b|^2 *)
Definition orthogonal a b :=
  norm (fun i => a i + b i) ^+ 2 = norm a ^+ 2 + norm b ^+ 2.

Definition non_zero_vectors a b := (exists i, a i != 0) /\ (exists i, b i != 0).
Definition fixed_norms a b a' b' := norm a = norm a' /\ norm b = norm b'.

Lemma norm_ge0 a : 0 <= norm a. Proof. exact: sqrtr_ge0. Qed.

Lemma norm_sqr a : norm a ^+ 2 = \sum_i a i ^+ 2.
Proof. by rewrite sqr_sqrtr // sumr_ge0 // => i _; exact: sqr_ge0. Qed.

Lemma norm_neq0 a : (exists i, a i != 0) -> norm a != 0.
Proof.
move=> [i ai]; have pos : 0 < norm a ^+ 2.
  rewrite norm_sqr (bigD1 i) //= ltr_paddr //.
    by apply: sumr_ge0 => j _; exact: sqr_ge0.
  by rewrite lt_neqAle eq_sym sqrf_eq0 ai sqr_ge0.
by apply: contraTneq pos => ->; rewrite expr0n ltxx.
Qed.

(* |a|^2 |b|^2 - (a.b)^2 as a sum of squares *)
Lemma inner_lagrange a b :
  \sum_i \sum_j (a i * b j - a j * b i) ^+ 2 =
  (norm a ^+ 2 * norm b ^+ 2 - inner a b ^+ 2) *+ 2.
Proof.
have := lagrange (fun=> 1) a b; rewrite !norm_sqr /inner.
under eq_bigr do under eq_bigr do rewrite mulr1 mul1r.
by move=> ->; congr (_ *+ 2); congr (_ * _ - _ ^+ 2); apply: eq_bigr => i _; rewrite !mul1r.
Qed.

Lemma inner_sqr_le a b : inner a b ^+ 2 <= norm a ^+ 2 * norm b ^+ 2.
Proof.
rewrite -subr_ge0 -(pmulrn_lge0 _ (isT : 0 < 2)%N) -inner_lagrange.
by apply: sumr_ge0 => i _; apply: sumr_ge0 => j _; exact: sqr_ge0.
Qed.

Lemma cauchy_schwarz a b : `|inner a b| <= norm a * norm b.
Proof.
have ab0 : 0 <= norm a * norm b by rewrite mulr_ge0 ?norm_ge0.
by rewrite -(ger0_norm ab0) -ler_sqr ?nnegrE // !real_normK ?num_real // exprMn inner_sqr_le.
Qed.

(* equality in Cauchy-Schwarz makes b a multiple of a, by the factor a.b/|a|^2 *)
Lemma proportional a b : norm a != 0 -> inner a b ^+ 2 = norm a ^+ 2 * norm b ^+ 2 ->
  forall i, b i = inner a b / norm a ^+ 2 * a i.
Proof.
move=> a0 eq i; have a2 : norm a ^+ 2 != 0 by rewrite expf_neq0.
have cross k l : a k * b l = a l * b k.
  apply/eqP; rewrite -subr_eq0 -sqrf_eq0; apply/eqP.
  have := inner_lagrange a b; rewrite eq subrr mul0rn => /eqP.
  rewrite psumr_eq0 => [/allP/(_ k (mem_index_enum _))/= /eqP|r _]; last first.
    by apply: sumr_ge0 => s _; exact: sqr_ge0.
  move=> /eqP; rewrite psumr_eq0 => [/allP/(_ l (mem_index_enum _))/= /eqP //|r _].
  exact: sqr_ge0.
apply: (mulfI a2); rewrite mulrA [_ * (_ / _)]mulrC divfK // norm_sqr /inner.
rewrite !mulr_suml; apply: eq_bigr => k _.
by rewrite expr2 -!mulrA cross [a i * _]mulrC.
Qed.

Lemma inner_multiple a b t : (forall i, b i = t * a i) -> inner a b = t * norm a ^+ 2.
Proof.
by move=> bt; rewrite norm_sqr mulr_sumr; apply: eq_bigr => i _; rewrite bt mulrCA -expr2.
Qed.

Lemma norm_multiple a b t : (forall i, b i = t * a i) -> norm b = `|t| * norm a.
Proof.
move=> bt; rewrite /norm -sqrtr_sqr -sqrtrM ?sqr_ge0 // mulr_sumr; congr Num.sqrt.
by apply: eq_bigr => i _; rewrite bt exprMn.
Qed.
End Vectors.

(* the bound holds for all vectors *)
(* [statement:dot_product_similarity_bound] *)
Theorem dot_product_similarity_bound (R : rcfType) (n : nat) (a b : 'I_n -> R) :
  `|inner a b| <= norm a * norm b.
(* [statement:dot_product_similarity_bound] *)
(* [proof:dot_product_similarity_bound] *)
Proof. exact: cauchy_schwarz. Qed.
(* [proof:dot_product_similarity_bound] *)

(* [statement:dot_product_similarity] *)
Theorem dot_product_similarity (R : rcfType) (n : nat) (a b : 'I_n -> R)
    (H_non_zero_vectors : non_zero_vectors a b) :
  [/\ `|inner a b| <= norm a * norm b,
      inner a b = norm a * norm b <-> aligned a b,
      inner a b = - (norm a * norm b) <-> opposed a b,
      inner a b = 0 <-> orthogonal a b
    & inner a b = norm a * norm b * cosine a b].
(* [statement:dot_product_similarity] *)
(* [proof:dot_product_similarity] *)
Proof.
have [/norm_neq0 a0 /norm_neq0 b0] := H_non_zero_vectors.
have a_gt0 : 0 < norm a by rewrite lt_neqAle eq_sym a0 norm_ge0.
have b_gt0 : 0 < norm b by rewrite lt_neqAle eq_sym b0 norm_ge0.
split.
- exact: cauchy_schwarz.
- split=> [ab|[t t0 bt]]; last first.
    by rewrite (inner_multiple bt) (norm_multiple bt) gtr0_norm // expr2 mulrCA.
  exists (inner a b / norm a ^+ 2); first by rewrite ab divr_gt0 ?mulr_gt0 ?exprn_gt0.
  by apply: proportional => //; rewrite ab exprMn.
- split=> [ab|[t t0 bt]]; last first.
    by rewrite (inner_multiple bt) (norm_multiple bt) ltr0_norm // expr2 mulNr mulrN opprK mulrCA.
  exists (inner a b / norm a ^+ 2).
    by rewrite ab mulNr oppr_lt0 divr_gt0 ?mulr_gt0 ?exprn_gt0.
  by apply: proportional => //; rewrite ab sqrrN exprMn.
- have sumE : norm (fun i => a i + b i) ^+ 2 = norm a ^+ 2 + norm b ^+ 2 + inner a b *+ 2.
    rewrite !norm_sqr /inner -sumrMnl -!big_split; apply: eq_bigr => i _.
    by rewrite sqrrD addrAC.
  rewrite /orthogonal sumE; split=> [->|/eqP]; first by rewrite mul0rn addr0.
  by rewrite -subr_eq0 addrC addKr mulrn_eq0 => /eqP.
- by rewrite /cosine mulrC divfK // mulf_neq0.
Qed.
(* [proof:dot_product_similarity] *)

(* of two pairs with the same norms the one with the larger dot product has the larger cosine *)
(* [statement:dot_product_similarity_cosine] *)
Theorem dot_product_similarity_cosine (R : rcfType) (n : nat) (a b a' b' : 'I_n -> R)
    (H_fixed_norms : fixed_norms a b a' b') :
  (inner a b < inner a' b') = (cosine a b < cosine a' b').
(* [statement:dot_product_similarity_cosine] *)
(* [proof:dot_product_similarity_cosine] *)
Proof.
have [na nb] := H_fixed_norms; rewrite /cosine -na -nb.
have [ab0|ab0] := eqVneq (norm a * norm b) 0; last first.
  by rewrite ltr_pmul2r // invr_gt0 lt_neqAle eq_sym ab0 mulr_ge0 ?norm_ge0.
have i0 c e : norm c * norm e = 0 -> inner c e = 0.
  by move=> ce0; have := cauchy_schwarz c e; rewrite ce0 normr_le0 => /eqP.
by rewrite i0 // i0 -?na -?nb // mul0r ltxx.
Qed.
(* [proof:dot_product_similarity_cosine] *)

Definition vec2 {R : ringType} (x y : R) (i : 'I_2) : R := if i == ord0 then x else y.

Lemma inner2 (R : rcfType) (x y x' y' : R) : inner (vec2 x y) (vec2 x' y') = x * x' + y * y'.
Proof. by rewrite /inner !big_ord_recl big_ord0 addr0. Qed.

Lemma norm2 (R : rcfType) (x y : R) : norm (vec2 x y) = Num.sqrt (x ^+ 2 + y ^+ 2).
Proof. by rewrite /norm !big_ord_recl big_ord0 addr0. Qed.

(* the axes *)
(* [statement:dot_product_similarity_instance] *)
Example dot_product_similarity_instance (R : rcfType)
    (a := vec2 1 0 : 'I_2 -> R) (b := vec2 0 1 : 'I_2 -> R) :
  [/\ non_zero_vectors a b, inner a b = 0 & orthogonal a b].
(* [statement:dot_product_similarity_instance] *)
(* [proof:dot_product_similarity_instance] *)
Proof.
have nz : non_zero_vectors a b by split; [exists ord0 | exists ord_max]; exact: oner_neq0.
have i0 : inner a b = 0 by rewrite inner2 mulr0 mul0r addr0.
by have [_ _ _ [h _] _] := dot_product_similarity nz; split=> //; exact: h.
Qed.
(* [proof:dot_product_similarity_instance] *)

(* [statement:dot_product_similarity_cosine_instance] *)
Example dot_product_similarity_cosine_instance (R : rcfType)
    (a := vec2 1 0 : 'I_2 -> R) (b := vec2 0 1 : 'I_2 -> R) :
  fixed_norms a b b b /\ cosine a b < cosine b b.
(* [statement:dot_product_similarity_cosine_instance] *)
(* [proof:dot_product_similarity_cosine_instance] *)
Proof.
have fn : fixed_norms a b b b by split; rewrite // !norm2 expr1n expr0n addr0 add0r.
have lt : inner a b < inner b b.
  by rewrite !inner2 !(mulr0, mul0r, mulr1, addr0, add0r) ltr01.
by split=> //; rewrite -(dot_product_similarity_cosine fn).
Qed.
(* [proof:dot_product_similarity_cosine_instance] *)

(* a = 0: the dot product equals the product of the norms, and b is not aligned with a *)
(* [statement:dot_product_similarity_without_non_zero_vectors] *)
Example dot_product_similarity_without_non_zero_vectors (R : rcfType)
    (a := vec2 0 0 : 'I_2 -> R) (b := vec2 1 0 : 'I_2 -> R) :
  inner a b = norm a * norm b /\ ~ aligned a b.
(* [statement:dot_product_similarity_without_non_zero_vectors] *)
(* [proof:dot_product_similarity_without_non_zero_vectors] *)
Proof.
split; first by rewrite inner2 !mul0r addr0 norm2 expr0n addr0 sqrtr0 mul0r.
by case=> t _ /(_ ord0)/eqP; rewrite /b /a /vec2 eqxx mulr0 oner_eq0.
Qed.
(* [proof:dot_product_similarity_without_non_zero_vectors] *)

(* (1,0).(2,2) = 2 > 1 = (1,0).(1,0), and the cosine falls *)
(* [statement:dot_product_similarity_cosine_without_fixed_norms] *)
Example dot_product_similarity_cosine_without_fixed_norms (R : rcfType)
    (a := vec2 1 0 : 'I_2 -> R) (b' := vec2 2%:R 2%:R : 'I_2 -> R) :
  inner a a < inner a b' /\ ~ (cosine a a < cosine a b').
(* [statement:dot_product_similarity_cosine_without_fixed_norms] *)
(* [proof:dot_product_similarity_cosine_without_fixed_norms] *)
Proof.
split; first by rewrite !inner2 !mul0r !addr0 !mul1r ltr1n.
have a1 : norm a = 1 by rewrite norm2 expr1n expr0n addr0 sqrtr1.
have -> : cosine a a = 1 by rewrite /cosine a1 inner2 !mulr1 mul0r addr0 divr1.
apply/negP; rewrite -leNgt /cosine a1 mul1r.
have [b0|b0] := eqVneq (norm b') 0; first by rewrite b0 invr0 mulr0 ler01.
rewrite ler_pdivr_mulr ?lt_neqAle 1?eq_sym ?b0 ?norm_ge0 // mul1r.
by rewrite -[leRHS]mul1r -a1 (le_trans (ler_norm _)) ?cauchy_schwarz.
Qed.
(* [proof:dot_product_similarity_cosine_without_fixed_norms] *)
