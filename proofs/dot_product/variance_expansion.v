From mathcomp Require Import all_ssreflect ssralg ssrnum.
From rootdk.theory Require Import law finite_law coins.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Step 1. Var X = E[(X - EX)^2] = E(X^2) - E^2(X) *)

(* [statement:variance_expansion] *)
Theorem variance_expansion (R : realFieldType) (P : finite_law R) (X : P -> R) :
  'Var_w[X w] = 'E_w[X w ^+ 2] - 'E_w[X w] ^+ 2.
(* [statement:variance_expansion] *)
(* [proof:variance_expansion] *)
Proof.
rewrite /variance; set m := mean X.
transitivity ('E_w[X w ^+ 2 - (2%:R * m) * X w + m ^+ 2]).
  by apply: eq_mean => w; rewrite sqrrB -mulr_natl mulrA mulrAC.
rewrite meanD meanB meanZ mean_cst -/m -mulrA -expr2 mulr_natl mulr2n.
by rewrite opprD addrA addrNK.
Qed.
(* [proof:variance_expansion] *)

(* [statement:variance_expansion_lines] *)
Theorem variance_expansion_lines (R : realFieldType) (P : finite_law R) (U V : P -> R)
    (X := fun w => U w * V w) :
  [/\ 'Var_w[X w] = 'E_w[(X w - 'E_v[X v]) ^+ 2],
      'E_w[(X w - 'E_v[X v]) ^+ 2] =
        'E_w[X w ^+ 2 - 2%:R * X w * 'E_v[X v] + 'E_v[X v] ^+ 2],
      'E_w[X w ^+ 2 - 2%:R * X w * 'E_v[X v] + 'E_v[X v] ^+ 2] =
        'E_w[X w ^+ 2] - 2%:R * 'E_w[X w] * 'E_w[X w] + 'E_w[X w] ^+ 2,
      'E_w[X w ^+ 2] - 2%:R * 'E_w[X w] * 'E_w[X w] + 'E_w[X w] ^+ 2 =
        'E_w[X w ^+ 2] - 'E_w[X w] ^+ 2
    & 'Var_w[U w * V w] = 'E_w[U w ^+ 2 * V w ^+ 2] - 'E_w[U w * V w] ^+ 2].
(* [statement:variance_expansion_lines] *)
(* [proof:variance_expansion_lines] *)
Proof.
split=> //.
- by apply: eq_mean => w; rewrite sqrrB -mulr_natl mulrA.
- rewrite meanD meanB mean_cst; congr (_ - _ + _).
  rewrite -mulrA [_ * mean _]mulrC mulrA -meanZ; apply: eq_mean => w.
  by rewrite mulrAC.
- by rewrite -mulrA -expr2 mulr_natl mulr2n opprD addrA addrNK.
- rewrite variance_expansion; congr (_ - _).
  by apply: eq_mean => w; rewrite exprMn.
Qed.
(* [proof:variance_expansion_lines] *)

(* a fair sign: 1 = 1 - 0 *)
(* [statement:variance_expansion_instance] *)
Example variance_expansion_instance (R : realFieldType) (X := sign : coin R -> R) :
  [/\ 'Var_w[X w] = 1, 'E_w[X w ^+ 2] = 1 & 'E_w[X w] = 0].
(* [statement:variance_expansion_instance] *)
(* [proof:variance_expansion_instance] *)
Proof.
have [m s] := (mean_sign R, mean_sign_sqr R).
by split=> //; rewrite variance_expansion s m expr0n subr0.
Qed.
(* [proof:variance_expansion_instance] *)

(* U = V = R: the product is the constant 1 *)
(* [statement:variance_expansion_lines_instance] *)
Example variance_expansion_lines_instance (R : realFieldType) (U := sign : coin R -> R) :
  'Var_w[U w * U w] = 'E_w[U w ^+ 2 * U w ^+ 2] - 'E_w[U w * U w] ^+ 2 /\
  'Var_w[U w * U w] = 0.
(* [statement:variance_expansion_lines_instance] *)
(* [proof:variance_expansion_lines_instance] *)
Proof.
have [_ _ _ _ ->] := variance_expansion_lines U U; split=> //.
rewrite !(@mean_eq_cst _ _ 1) ?expr1n ?subrr // => w; first by rewrite -expr2 sign_sqr.
by rewrite sign_sqr mulr1.
Qed.
(* [proof:variance_expansion_lines_instance] *)

(* The same on any probability space *)
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp.analysis Require Import reals ereal measure lebesgue_measure lebesgue_integral.
From rootdk.theory Require Import general_law general_coin.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

(* [statement:variance_expansion_general] *)
Theorem variance_expansion_general d (Om : measurableType d) (R : realType)
    (P : probability Om R) (X : P -> R) (square_integrable_X : L2 (measure_of P) X) :
  'Var_w[X w] = 'E_w[X w ^+ 2] - 'E_w[X w] ^+ 2.
(* [statement:variance_expansion_general] *)
(* [proof:variance_expansion_general] *)
Proof.
have X1 := L2_L1 (total_mass P) square_integrable_X; have [_ X2] := square_integrable_X.
transitivity (fine (evar (measure_of P) X)); first by [].
by rewrite (VarE (total_mass P) square_integrable_X) fineB ?fineM ?fin_numM ?L1_fin_num // expr2.
Qed.
(* [proof:variance_expansion_general] *)
