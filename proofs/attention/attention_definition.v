From mathcomp Require Import all_ssreflect ssralg ssrnum zmodp matrix.
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp.analysis Require Import reals ereal sequences exp.
From rootdk.theory Require Import simplex softmax.
From rootdk.softmax Require Import softmax_simplex.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Step 20. Scaled dot-product attention of n queries over m keys with a boolean mask *)

Section Attention.
Variables (R : realType) (n m d dv : nat).
Implicit Types (Q : 'M[R]_(n, d)) (K : 'M[R]_(m, d)) (V : 'M[R]_(m, dv)).
Implicit Types (visible : 'I_n -> 'I_m -> bool).

Definition scores Q K : 'M[R]_(n, m) := (Num.sqrt d%:R)^-1 *: (Q *m K^T).

(* a masked score is -oo *)
Definition masked visible (S : 'M[R]_(n, m)) (i : 'I_n) (j : 'I_m) : \bar R :=
  if visible i j then (S i j)%:E else -oo%E.

Definition attention_weights visible Q K : 'M[R]_(n, m) :=
  \matrix_(i, j) softmax (masked visible (scores Q K) i) j.

Definition attention visible Q K V : 'M[R]_(n, dv) := attention_weights visible Q K *m V.

Definition one_visible_key visible := forall i, exists j, visible i j.

Lemma masked_weight visible S i j :
  logit_weight (masked visible S i) j = (visible i j)%:R * expR (S i j).
Proof.
rewrite /logit_weight /masked; case: existsP => [[k /eqP]|_]; first by case: ifP.
by case: (visible i j); rewrite ?mul1r ?mul0r.
Qed.

Lemma masked_weight_ge0 visible S i j : 0 <= logit_weight (masked visible S i) j.
Proof. by rewrite masked_weight; apply: mulr_ge0; [exact: ler0n | exact/ltW/expR_gt0]. Qed.

Lemma masked_sum_gt0 visible S i :
  one_visible_key visible -> 0 < \sum_j logit_weight (masked visible S i) j.
Proof.
move=> /(_ i)[j vj]; rewrite (bigD1 j) //= ltr_spaddl ?sumr_ge0 //.
  by rewrite masked_weight vj mul1r expR_gt0.
by move=> k _; exact: masked_weight_ge0.
Qed.
End Attention.

(* [statement:attention_definition] *)
Theorem attention_definition (R : realType) (n m d dv D D' : nat)
    (X : 'M[R]_(n, D)) (Y : 'M[R]_(m, D')) (W_Q : 'M[R]_(D, d)) (W_K : 'M[R]_(D', d))
    (W_V : 'M[R]_(D', dv)) (visible : 'I_n -> 'I_m -> bool)
    (H_one_visible_key : one_visible_key visible)
    (Q := X *m W_Q) (K := Y *m W_K) (V := Y *m W_V)
    (A := attention_weights visible Q K) (O := attention visible Q K V) :
  [/\ forall i j, A i j = if visible i j then
        expR (scores Q K i j) / \sum_(l | visible i l) expR (scores Q K i l) else 0,
      forall i j, 0 <= A i j <= 1 /\ (0 < A i j) = visible i j,
      forall i, \sum_j A i j = 1,
      forall i c, O i c = \sum_j A i j * V j c
    & forall i c lo hi, (forall j, visible i j -> lo <= V j c <= hi) -> lo <= O i c <= hi].
(* [statement:attention_definition] *)
(* [proof:attention_definition] *)
Proof.
have Z0 i := masked_sum_gt0 (scores Q K) i H_one_visible_key.
have A0 i j : 0 <= A i j by rewrite mxE divr_ge0 ?masked_weight_ge0 // ltW.
have A1 i : \sum_j A i j = 1.
  under eq_bigr do rewrite mxE.
  by rewrite -mulr_suml divff // gt_eqF.
have Avis i j : (0 < A i j) = visible i j.
  rewrite mxE pmulr_lgt0 ?invr_gt0 // masked_weight.
  by case: (visible i j); rewrite ?mul1r ?mul0r ?expR_gt0 ?ltxx.
have OE i c : O i c = \sum_j A i j * V j c by rewrite mxE.
split=> // [i j|i j|i c lo hi h].
- rewrite mxE /softmax masked_weight; under eq_bigr do rewrite masked_weight.
  case: (visible i j); rewrite ?mul0r // mul1r [in RHS]big_mkcond; congr (_ / _).
  by apply: eq_bigr => l _; case: (visible i l); rewrite ?mul1r ?mul0r.
- by split=> //; rewrite A0 -(A1 i) (bigD1 j) //= ler_addl sumr_ge0.
have hidden j : ~~ visible i j -> A i j = 0.
  by rewrite -Avis lt_neqAle A0 andbT negbK => /eqP.
have bound j : A i j * lo <= A i j * V j c <= A i j * hi.
  case: (boolP (visible i j)) => [/h/andP[lV Vh]|/hidden ->]; last by rewrite !mul0r lexx.
  by rewrite !ler_wpmul2l.
rewrite OE -[lo]mul1r -[hi]mul1r -(A1 i) !mulr_suml.
by apply/andP; split; apply: ler_sum => j _; have /andP[] := bound j.
Qed.
(* [proof:attention_definition] *)

(* one query, two keys, nothing masked *)
(* [statement:attention_definition_instance] *)
Example attention_definition_instance (R : realType)
    (visible := fun (_ : 'I_1) (_ : 'I_2) => true)
    (A := attention_weights visible (0 : 'M[R]_(1, 1)) 0) :
  one_visible_key visible /\ \sum_j A 0 j = 1.
(* [statement:attention_definition_instance] *)
(* [proof:attention_definition_instance] *)
Proof.
have ov : one_visible_key visible by exists ord0.
split=> //; have [_ _ h _ _] := @attention_definition R 1 2 1 1 1 1 0 0 0 0 0 _ ov.
by have := h 0; rewrite !mul0mx.
Qed.
(* [proof:attention_definition_instance] *)

(* all keys masked: the weights sum to 0 *)
(* [statement:attention_definition_without_one_visible_key] *)
Example attention_definition_without_one_visible_key (R : realType) (n m d : nat)
    (visible := fun (_ : 'I_n) (_ : 'I_m) => false)
    (Q : 'M[R]_(n, d)) (K : 'M[R]_(m, d)) (i : 'I_n) :
  \sum_j attention_weights visible Q K i j = 0 /\ \sum_j attention_weights visible Q K i j != 1.
(* [statement:attention_definition_without_one_visible_key] *)
(* [proof:attention_definition_without_one_visible_key] *)
Proof.
have e : \sum_j attention_weights visible Q K i j = 0.
  by apply: big1 => j _; rewrite mxE /softmax masked_weight !mul0r.
by rewrite e eq_sym oner_eq0.
Qed.
(* [proof:attention_definition_without_one_visible_key] *)
