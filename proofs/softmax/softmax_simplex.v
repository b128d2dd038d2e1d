From mathcomp Require Import all_ssreflect ssralg ssrnum.
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp.analysis Require Import reals ereal sequences exp.
From rootdk.theory Require Import simplex softmax.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Step 12. Softmax maps finite logits into the open simplex, keeps order and ignores shifts *)

(* [statement:softmax_simplex] *)
Theorem softmax_simplex (R : realType) (n : nat) (z : 'I_n.+1 -> \bar R)
    (H_finite_logits : finite_logits z) :
  [/\ forall i, 0 < softmax z i <= 1,
      \sum_i softmax z i = 1,
      forall i j, (softmax z i <= softmax z j) = (z i <= z j)%E
    & forall (c : R) i, softmax (fun k => z k + c%:E)%E i = softmax z i].
(* [statement:softmax_simplex] *)
(* [proof:softmax_simplex] *)
Proof.
have [x ->] := finite_logitsE H_finite_logits.
have sE := softmaxE x; split=> [i||i j|c i].
- rewrite sE softmaxr_gt0 -[X in _ <= X](softmaxr_sum1 x) (bigD1 i) //=.
  by rewrite ler_addl sumr_ge0 // => j _; exact/ltW/softmaxr_gt0.
- by rewrite (eq_bigr _ (fun i _ => sE i)) softmaxr_sum1.
- by rewrite !sE softmaxr_le.
- rewrite sE; transitivity (softmaxr (fun k => x k + c) i); first exact: softmaxE.
  rewrite /softmaxr expRD; under eq_bigr do rewrite expRD.
  rewrite -mulr_suml -mulf_div divff ?mulr1 //.
  by rewrite gt_eqF ?expR_gt0.
Qed.
(* [proof:softmax_simplex] *)

(* [statement:softmax_simplex_below_one] *)
Theorem softmax_simplex_below_one (R : realType) (n : nat) (z : 'I_n.+1 -> \bar R)
    (H_finite_logits : finite_logits z)
    (H_two_or_more_logits : two_or_more_logits n.+1) :
  forall i, softmax z i < 1.
(* [statement:softmax_simplex_below_one] *)
(* [proof:softmax_simplex_below_one] *)
Proof.
move=> i; have [x ->] := finite_logitsE H_finite_logits; rewrite softmaxE.
have [j ji] := other_index i H_two_or_more_logits.
rewrite -[X in _ < X](softmaxr_sum1 x) (bigD1 i) //= ltr_addl (bigD1 j) //=.
by rewrite ltr_spaddl ?softmaxr_gt0 // sumr_ge0 // => k _; exact/ltW/softmaxr_gt0.
Qed.
(* [proof:softmax_simplex_below_one] *)

(* n equal logits *)
(* [statement:softmax_simplex_instance] *)
Example softmax_simplex_instance (R : realType) (n : nat) (z : 'I_n.+1 -> \bar R := fun=> 0%E) :
  finite_logits z /\ forall i, softmax z i = n.+1%:R^-1.
(* [statement:softmax_simplex_instance] *)
(* [proof:softmax_simplex_instance] *)
Proof.
split=> // i; rewrite (softmaxE (fun=> 0)) /softmaxr expR0 sumr_const card_ord mul1r.
by rewrite -[X in X^-1 = _]mulr_natr mul1r.
Qed.
(* [proof:softmax_simplex_instance] *)

(* [statement:softmax_simplex_below_one_instance] *)
Example softmax_simplex_below_one_instance (R : realType) (z : 'I_2 -> \bar R := fun=> 0%E) :
  [/\ finite_logits z, two_or_more_logits 2 & forall i, softmax z i < 1].
(* [statement:softmax_simplex_below_one_instance] *)
(* [proof:softmax_simplex_below_one_instance] *)
Proof. by split=> // i; apply: softmax_simplex_below_one. Qed.
(* [proof:softmax_simplex_below_one_instance] *)

(* (0, -oo): the weights are (1, 0) *)
Lemma softmax_minus_infinity (R : realType) (z : 'I_2 -> \bar R)
    (H : z = fun i => if i == ord0 then 0%E else -oo%E) i :
  softmax z i = (i == ord0)%:R.
Proof.
have w k : logit_weight z k = (k == ord0)%:R.
  rewrite /logit_weight H; case: existsP => [[k' /eqP]|_]; first by case: ifP.
  by case: ifP => _ //; rewrite expR0.
by rewrite /softmax w !big_ord_recl big_ord0 !w /= !addr0 divr1.
Qed.

(* [statement:softmax_simplex_without_finite_logits] *)
Example softmax_simplex_without_finite_logits (R : realType)
    (z : 'I_2 -> \bar R := fun i => if i == ord0 then 0%E else -oo%E) :
  ~ (forall i, 0 < softmax z i <= 1).
(* [statement:softmax_simplex_without_finite_logits] *)
(* [proof:softmax_simplex_without_finite_logits] *)
Proof. by move=> /(_ ord_max); rewrite softmax_minus_infinity // ltxx. Qed.
(* [proof:softmax_simplex_without_finite_logits] *)

(* [statement:softmax_simplex_below_one_without_finite_logits] *)
Example softmax_simplex_below_one_without_finite_logits (R : realType)
    (z : 'I_2 -> \bar R := fun i => if i == ord0 then 0%E else -oo%E) :
  two_or_more_logits 2 /\ softmax z ord0 = 1.
(* [statement:softmax_simplex_below_one_without_finite_logits] *)
(* [proof:softmax_simplex_below_one_without_finite_logits] *)
Proof. by rewrite softmax_minus_infinity. Qed.
(* [proof:softmax_simplex_below_one_without_finite_logits] *)

(* one logit has weight 1 *)
(* [statement:softmax_simplex_below_one_without_two_or_more_logits] *)
Example softmax_simplex_below_one_without_two_or_more_logits (R : realType)
    (z : 'I_1 -> \bar R := fun=> 0%E) :
  finite_logits z /\ softmax z ord0 = 1.
(* [statement:softmax_simplex_below_one_without_two_or_more_logits] *)
(* [proof:softmax_simplex_below_one_without_two_or_more_logits] *)
Proof. by have [zf ->] := softmax_simplex_instance R 0; rewrite invr1. Qed.
(* [proof:softmax_simplex_below_one_without_two_or_more_logits] *)
