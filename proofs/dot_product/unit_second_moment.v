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
