From mathcomp Require Import all_ssreflect ssralg ssrnum.
From rootdk.theory Require Import law finite_law coins.
From rootdk.dot_product Require Import variance_rules dot_product_mean dot_product_variance.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Step 9. E(q . k / sqrt d) = 0 and Var(q . k / sqrt d) = 1 *)

(* [statement:unit_variance_scaling] *)
Theorem unit_variance_scaling (R : rcfType) (P : finite_law R) (d : nat) (q k : 'I_d -> P -> R)
    (H_mutually_independent : mutually_independent (components q k))
    (H_zero_mean : zero_mean (components q k))
    (H_unit_variance : unit_variance (components q k))
    (H_positive_dimension : positive_dimension d) :
  'E_w[dot q k w / Num.sqrt d%:R] = 0 /\ 'Var_w[dot q k w / Num.sqrt d%:R] = 1.
(* [statement:unit_variance_scaling] *)
(* [proof:unit_variance_scaling] *)
Proof.
split.
  rewrite (eq_mean (fun w => mulrC _ _)) meanZ dot_product_mean ?mulr0 // => i.
    exact: mutual_pairs.
  exact: (H_zero_mean (inl i)).
rewrite (eq_variance (fun w => mulrC _ _)) variance_rules_scale dot_product_variance //.
by rewrite exprVn sqr_sqrtr ?ler0n // mulVf // pnatr_eq0 -lt0n.
Qed.
(* [proof:unit_variance_scaling] *)

(* Var(q . k / c) = Var(q . k) / c^2, whatever the law *)
Lemma variance_divided (R : realFieldType) (P : finite_law R) (X : P -> R) c :
  'Var_w[X w / c] = 'Var_w[X w] / c ^+ 2.
Proof.
by rewrite (eq_variance (fun w => mulrC _ _)) variance_rules_scale exprVn mulrC.
Qed.

(* a variance that is not d is not 1 after division by sqrt d *)
Lemma scaled_variance_neq1 (R : rcfType) (P : finite_law R) (X : P -> R) d :
  'Var_w[X w] != d.+1%:R -> 'Var_w[X w / Num.sqrt d.+1%:R] != 1.
Proof.
move=> vd; rewrite variance_divided sqr_sqrtr ?ler0n //; apply: contra vd => /eqP v1.
have d0 : d.+1%:R != 0 :> R by rewrite pnatr_eq0.
by rewrite -['Var_w[X w]](divfK d0) v1 mul1r.
Qed.

(* 2d independent fair signs *)
(* [statement:unit_variance_scaling_instance] *)
Example unit_variance_scaling_instance (R : rcfType) (d : nat)
    (q := @coin_query R d.+1 sign) (k := @coin_key R d.+1 sign) :
  [/\ mutually_independent (components q k), zero_mean (components q k),
      unit_variance (components q k), positive_dimension d.+1 &
      'E_w[dot q k w / Num.sqrt d.+1%:R] = 0 /\ 'Var_w[dot q k w / Num.sqrt d.+1%:R] = 1].
(* [statement:unit_variance_scaling_instance] *)
(* [proof:unit_variance_scaling_instance] *)
Proof.
have [indep zero one _] := dot_product_variance_instance R d.+1.
by split=> //; exact: unit_variance_scaling.
Qed.
(* [proof:unit_variance_scaling_instance] *)

(* V_2 = U_1 U_2 V_1: variance 4/2 *)
(* [statement:unit_variance_scaling_without_mutually_independent] *)
Example unit_variance_scaling_without_mutually_independent (R : rcfType)
    (q := @three_query R) (k := @three_key R) :
  [/\ zero_mean (components q k), unit_variance (components q k), positive_dimension 2
    & 'Var_w[dot q k w / Num.sqrt 2%:R] != 1].
(* [statement:unit_variance_scaling_without_mutually_independent] *)
(* [proof:unit_variance_scaling_without_mutually_independent] *)
Proof.
have [zero one _ v] := dot_product_variance_without_mutually_independent R.
by split=> //; exact: scaled_variance_neq1.
Qed.
(* [proof:unit_variance_scaling_without_mutually_independent] *)

(* keys 1 + R: variance 2d/d *)
(* [statement:unit_variance_scaling_without_zero_mean] *)
Example unit_variance_scaling_without_zero_mean (R : rcfType) (d : nat)
    (q := @coin_query R d.+1 sign) (k := @coin_key R d.+1 shifted) :
  [/\ mutually_independent (components q k), unit_variance (components q k),
      positive_dimension d.+1 & 'Var_w[dot q k w / Num.sqrt d.+1%:R] != 1].
(* [statement:unit_variance_scaling_without_zero_mean] *)
(* [proof:unit_variance_scaling_without_zero_mean] *)
Proof.
have [indep one _ v] := dot_product_variance_without_zero_mean R d.
by split=> //; exact: scaled_variance_neq1.
Qed.
(* [proof:unit_variance_scaling_without_zero_mean] *)

(* keys 2R: variance 4d/d *)
(* [statement:unit_variance_scaling_without_unit_variance] *)
Example unit_variance_scaling_without_unit_variance (R : rcfType) (d : nat)
    (q := @coin_query R d.+1 sign) (k := @coin_key R d.+1 (fun b => 2%:R * sign b)) :
  [/\ mutually_independent (components q k), zero_mean (components q k),
      positive_dimension d.+1 & 'Var_w[dot q k w / Num.sqrt d.+1%:R] != 1].
(* [statement:unit_variance_scaling_without_unit_variance] *)
(* [proof:unit_variance_scaling_without_unit_variance] *)
Proof.
have [indep zero _ v] := dot_product_variance_without_unit_variance R d.
by split=> //; exact: scaled_variance_neq1.
Qed.
(* [proof:unit_variance_scaling_without_unit_variance] *)

(* d = 0: the empty sum is constant, and no scale gives it variance 1 *)
(* [statement:unit_variance_scaling_without_positive_dimension] *)
Example unit_variance_scaling_without_positive_dimension (R : rcfType)
    (q := @coin_query R 0 sign) (k := @coin_key R 0 sign) :
  [/\ mutually_independent (components q k), zero_mean (components q k),
      unit_variance (components q k) & forall c, 'Var_w[dot q k w / c] != 1].
(* [statement:unit_variance_scaling_without_positive_dimension] *)
(* [proof:unit_variance_scaling_without_positive_dimension] *)
Proof.
have [indep zero one v] := dot_product_variance_instance R 0.
by split=> // c; rewrite variance_divided v mul0r eq_sym oner_eq0.
Qed.
(* [proof:unit_variance_scaling_without_positive_dimension] *)

(* The same on any probability space, for independent vectors q = q(X) and k = k(Y) *)
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp.analysis Require Import reals ereal measure lebesgue_measure lebesgue_integral.
From rootdk.theory Require Import general_law.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

(* [statement:unit_variance_scaling_general] *)
Theorem unit_variance_scaling_general d0 d1 d2 (Om : measurableType d0)
    (T1 : measurableType d1) (T2 : measurableType d2) (R : realType) (P : probability Om R)
    (X : Om -> T1) (Y : Om -> T2) (d : nat) (f : 'I_d -> T1 -> R) (g : 'I_d -> T2 -> R)
    (q := (fun i w => f i (X w)) : 'I_d -> P -> R) (k := (fun i w => g i (Y w)) : 'I_d -> P -> R)
    (measurable_X : measurable_fun setT X) (measurable_Y : measurable_fun setT Y)
    (measurable_f : forall i, measurable_fun setT (f i))
    (measurable_g : forall i, measurable_fun setT (g i))
    (square_integrable_q : forall i, L2 (measure_of P) (q i))
    (square_integrable_k : forall i, L2 (measure_of P) (k i))
    (H_independent_vectors : General.independent_vectors (measure_of P) X Y)
    (H_zero_mean : zero_mean (components q k))
    (H_identity_covariance : identity_covariance q k)
    (H_positive_dimension : positive_dimension d) :
  'E_w[dot q k w / Num.sqrt d%:R] = 0 /\ 'Var_w[dot q k w / Num.sqrt d%:R] = 1.
(* [statement:unit_variance_scaling_general] *)
(* [proof:unit_variance_scaling_general] *)
Proof.
rewrite (_ : (fun w => _) = fun w => (Num.sqrt d%:R)^-1 * dot q k w); last first.
  by apply/funext => w; exact: mulrC.
have [-> ->] := dot_product_moments_general (Num.sqrt d%:R)^-1 measurable_X measurable_Y
  measurable_f measurable_g square_integrable_q square_integrable_k H_independent_vectors
  H_zero_mean H_identity_covariance.
by rewrite exprVn sqr_sqrtr ?ler0n // mulVf // pnatr_eq0 -lt0n.
Qed.
(* [proof:unit_variance_scaling_general] *)
