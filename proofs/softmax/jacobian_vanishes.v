From mathcomp Require Import all_ssreflect ssralg ssrnum zmodp matrix.
From rootdk.theory Require Import simplex.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Step 16. J = 0 exactly at the corners; the signs of the weights play no part *)

Lemma jac_one_hot (R : realFieldType) (n : nat) (s : 'I_n -> R) : one_hot s -> jac s = 0.
Proof.
case=> k sk; apply/matrixP => i j; rewrite !mxE !sk.
have [->|_] := eqVneq i k; last by rewrite mul0r.
by rewrite mul1r [k == j]eq_sym subrr.
Qed.

(* [statement:jacobian_vanishes] *)
Theorem jacobian_vanishes (R : realFieldType) (n : nat) (s : 'I_n -> R)
    (H_weights_sum_to_one : weights_sum_to_one s) :
  jac s = 0 <-> one_hot s.
(* [statement:jacobian_vanishes] *)
(* [proof:jacobian_vanishes] *)
Proof.
split=> [J0|]; last exact: jac_one_hot.
have Jij i j : s i * ((i == j)%:R - s j) = 0.
  by have /matrixP/(_ i j) := J0; rewrite !mxE.
have [k sk] : exists k, s k != 0.
  apply/existsP; rewrite -negb_forall; apply/negP => /forallP s0.
  have /eqP := H_weights_sum_to_one; rewrite big1 ?(eq_sym 0) ?oner_eq0 // => i _.
  exact/eqP.
exists k => i; have /eqP := Jij k i; rewrite mulf_eq0 (negbTE sk) /= subr_eq0 => /eqP <-.
by rewrite eq_sym.
Qed.
(* [proof:jacobian_vanishes] *)

(* the four corners in dimension 4 *)
(* [statement:jacobian_vanishes_4] *)
Theorem jacobian_vanishes_4 (R : realFieldType) :
  [/\ jac (vec4 1 0 0 0) = 0 :> 'M[R]_4, jac (vec4 0 1 0 0) = 0 :> 'M[R]_4,
      jac (vec4 0 0 1 0) = 0 :> 'M[R]_4 & jac (vec4 0 0 0 1) = 0 :> 'M[R]_4].
(* [statement:jacobian_vanishes_4] *)
(* [proof:jacobian_vanishes_4] *)
Proof.
split; apply: jac_one_hot; [exists 0 | exists 1 | exists 2%:R | exists 3%:R].
all: by case=> -[|[|[|[|]]]].
Qed.
(* [proof:jacobian_vanishes_4] *)

(* a corner *)
(* [statement:jacobian_vanishes_instance] *)
Example jacobian_vanishes_instance (R : realFieldType) :
  weights_sum_to_one (vec4 1 0 0 0 : 'I_4 -> R) /\ jac (vec4 1 0 0 0 : 'I_4 -> R) = 0.
(* [statement:jacobian_vanishes_instance] *)
(* [proof:jacobian_vanishes_instance] *)
Proof.
have w : weights_sum_to_one (vec4 1 0 0 0 : 'I_4 -> R).
  by rewrite /weights_sum_to_one !big_ord_recl big_ord0 /vec4 /= !addr0.
split=> //; apply/(jacobian_vanishes w); exists 0.
by case=> -[|[|[|[|]]]].
Qed.
(* [proof:jacobian_vanishes_instance] *)

(* s = 0: J = 0, and s is not one-hot *)
(* [statement:jacobian_vanishes_without_weights_sum_to_one] *)
Example jacobian_vanishes_without_weights_sum_to_one (R : realFieldType) (n : nat)
    (s : 'I_n -> R := fun=> 0) :
  jac s = 0 /\ ~ one_hot s.
(* [statement:jacobian_vanishes_without_weights_sum_to_one] *)
(* [proof:jacobian_vanishes_without_weights_sum_to_one] *)
Proof.
split; first by apply/matrixP => i j; rewrite !mxE mul0r.
by case=> k /(_ k)/eqP; rewrite eqxx eq_sym oner_eq0.
Qed.
(* [proof:jacobian_vanishes_without_weights_sum_to_one] *)
