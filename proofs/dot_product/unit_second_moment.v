From mathcomp Require Import all_ssreflect ssralg ssrnum.
From rootdk.theory Require Import law finite_law coins.
From rootdk.dot_product Require Import variance_expansion.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Step 6. E(U^2) = 1 *)

(* [statement:unit_second_moment] *)
Theorem unit_second_moment (R : realFieldType) (P : finite_law R) (U : P -> R)
    (H_zero_mean : zero_mean (single U)) (H_unit_variance : unit_variance (single U)) :
  'E_w[U w ^+ 2] = 1.
(* [statement:unit_second_moment] *)
(* [proof:unit_second_moment] *)
Proof.
have := H_unit_variance tt; rewrite variance_expansion (H_zero_mean tt).
by rewrite expr0n subr0.
Qed.
(* [proof:unit_second_moment] *)

(* a fair sign *)
(* [statement:unit_second_moment_instance] *)
Example unit_second_moment_instance (R : realFieldType) (U := sign : coin R -> R) :
  [/\ zero_mean (single U), unit_variance (single U) & 'E_w[U w ^+ 2] = 1].
(* [statement:unit_second_moment_instance] *)
(* [proof:unit_second_moment_instance] *)
Proof. by have [a b c] := variance_expansion_instance R; split=> // -[]. Qed.
(* [proof:unit_second_moment_instance] *)

(* 1 + R: variance 1, second moment 2 *)
(* [statement:unit_second_moment_without_zero_mean] *)
Example unit_second_moment_without_zero_mean (R : realFieldType)
    (U := shifted : coin R -> R) :
  [/\ unit_variance (single U), 'E_w[U w ^+ 2] = 2%:R & 'E_w[U w ^+ 2] != 1].
(* [statement:unit_second_moment_without_zero_mean] *)
(* [proof:unit_second_moment_without_zero_mean] *)
Proof.
have m : 'E_w[U w] = 1 := mean_shifted R.
have s : 'E_w[U w ^+ 2] = 2%:R := mean_shifted_sqr R.
split=> //; last by rewrite s pnatr_eq1.
by case; rewrite variance_expansion s m expr1n -[2%N]/(1 + 1)%N natrD addrK.
Qed.
(* [proof:unit_second_moment_without_zero_mean] *)

(* 2R: mean 0, second moment 4 *)
(* [statement:unit_second_moment_without_unit_variance] *)
Example unit_second_moment_without_unit_variance (R : realFieldType)
    (U := (fun w => 2%:R * sign w) : coin R -> R) :
  [/\ zero_mean (single U), 'E_w[U w ^+ 2] = 4%:R & 'E_w[U w ^+ 2] != 1].
(* [statement:unit_second_moment_without_unit_variance] *)
(* [proof:unit_second_moment_without_unit_variance] *)
Proof.
have [_ b c] := variance_expansion_instance R.
have s : 'E_w[U w ^+ 2] = 4%:R.
  rewrite -[RHS]mulr1 -[X in _ * X]b -meanZ.
  by apply: eq_mean => w; rewrite exprMn -natrX.
by split=> [[]||//]; rewrite ?s ?pnatr_eq1 //= meanZ c mulr0.
Qed.
(* [proof:unit_second_moment_without_unit_variance] *)

(* The same on any probability space *)
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp.analysis Require Import reals ereal measure lebesgue_measure lebesgue_integral.
From rootdk.theory Require Import general_law general_coin.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

(* a variance of 1 is finite, and about the mean 0 it is the second moment *)
(* [statement:unit_second_moment_general] *)
Theorem unit_second_moment_general d (Om : measurableType d) (R : realType)
    (P : probability Om R) (U : P -> R)
    (H_zero_mean : zero_mean (single U)) (H_unit_variance : unit_variance (single U)) :
  'E_w[U w ^+ 2] = 1.
(* [statement:unit_second_moment_general] *)
(* [proof:unit_second_moment_general] *)
Proof.
by rewrite -[RHS](H_unit_variance tt) variance_centred //; exact: (H_zero_mean tt).
Qed.
(* [proof:unit_second_moment_general] *)

(* a fair sign *)
(* [statement:unit_second_moment_general_instance] *)
Example unit_second_moment_general_instance (R : realType)
    (P := general_coin R) (U := sign : P -> R) :
  [/\ zero_mean (single U), unit_variance (single U) & 'E_w[U w ^+ 2] = 1].
(* [statement:unit_second_moment_general_instance] *)
(* [proof:unit_second_moment_general_instance] *)
Proof.
have zero : zero_mean (single U) by case; rewrite /mean /= emean_sign.
have s : 'E_w[U w ^+ 2] = 1.
  by rewrite /mean /= (_ : (fun w => _) = fun w => sign w * sign w) ?emean_sign_sqr.
by split=> //; case; rewrite variance_centred //; exact: (zero tt).
Qed.
(* [proof:unit_second_moment_general_instance] *)

(* 1 + R *)
(* [statement:unit_second_moment_general_without_zero_mean] *)
Example unit_second_moment_general_without_zero_mean (R : realType)
    (P := general_coin R) (U := shifted : P -> R) :
  unit_variance (single U) /\ 'E_w[U w ^+ 2] = 2%:R.
(* [statement:unit_second_moment_general_without_zero_mean] *)
(* [proof:unit_second_moment_general_without_zero_mean] *)
Proof.
have m : 'E_w[U w] = 1.
  by rewrite /mean /= emean_coin /U /shifted /sign subrr addr0 -[1 + 1]/(2%:R) divff // pnatr_eq0.
split; last by rewrite /mean /= emean_shifted_sqr.
case; rewrite /variance /single m /mean /= (_ : (fun w => _) = fun w => sign w * sign w).
  by rewrite emean_sign_sqr.
by apply/funext => w; rewrite /U /shifted addrAC subrr add0r expr2.
Qed.
(* [proof:unit_second_moment_general_without_zero_mean] *)

(* 2R *)
(* [statement:unit_second_moment_general_without_unit_variance] *)
Example unit_second_moment_general_without_unit_variance (R : realType)
    (P := general_coin R) (U := (fun w => 2%:R * sign w) : P -> R) :
  zero_mean (single U) /\ 'E_w[U w ^+ 2] = 4%:R.
(* [statement:unit_second_moment_general_without_unit_variance] *)
(* [proof:unit_second_moment_general_without_unit_variance] *)
Proof.
split; first by case; rewrite /mean /= emean_coin /single /U /sign /= mulrN subrr mul0r.
rewrite /mean /= emean_coin /U !exprMn !sign_sqr !mulr1 -mulr2n -[X in X / _]mulr_natr mulfK ?pnatr_eq0 //.
by rewrite -natrX.
Qed.
(* [proof:unit_second_moment_general_without_unit_variance] *)
