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
From rootdk.theory Require Import general_law general_coin.
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

(* q = (sign x_1, sign x_2) and k = (sign y, sign y) for three coins *)
(* [statement:unit_variance_scaling_general_instance] *)
Example unit_variance_scaling_general_instance (R : realType)
    (P := pair_law (pair_law (general_coin R) (general_coin R)) (general_coin R))
    (q := fun i (w : P) => two_signs R i w.1) (k := fun i (w : P) => same_sign R i w.2) :
  [/\ (forall i, L2 (measure_of P) (q i)) /\ (forall i, L2 (measure_of P) (k i)),
      General.independent_vectors (measure_of P) (fun w => w.1) (fun w => w.2),
      zero_mean (components q k), identity_covariance q k /\ positive_dimension 2 &
      'E_w[dot q k w / Num.sqrt 2%:R] = 0 /\ 'Var_w[dot q k w / Num.sqrt 2%:R] = 1].
(* [statement:unit_variance_scaling_general_instance] *)
(* [proof:unit_variance_scaling_general_instance] *)
Proof.
have [[q2 k2] indep zero one] := three_coins_hypotheses R; split; [by []..|].
exact: (unit_variance_scaling_general (@measurable_fun_fst _ _ _ _) (@measurable_fun_snd _ _ _ _)
  (@measurable_two_signs R) (@measurable_same_sign R) q2 k2 indep zero one isT).
Qed.
(* [proof:unit_variance_scaling_general_instance] *)

Section Counterexamples.
Variable R : realType.
Let X := general_coin R.
Let P := pair_law X X.

(* d = 1, U = V = R: 0 *)
(* [statement:unit_variance_scaling_general_without_independent_vectors] *)
Example unit_variance_scaling_general_without_independent_vectors
    (q := fun (_ : 'I_1) (w : X) => sign w : R) (k := q) :
  [/\ forall i, L2 (measure_of X) (q i), zero_mean (components q k), identity_covariance q k,
      positive_dimension 1 & 'Var_w[dot q k w / Num.sqrt 1%:R] = 0].
(* [statement:unit_variance_scaling_general_without_independent_vectors] *)
(* [proof:unit_variance_scaling_general_without_independent_vectors] *)
Proof.
have [q2 zero one v] := dot_product_variance_general_without_independent_vectors R.
split; [exact: q2|exact: zero|exact: one|by []|].
by rewrite -[RHS]v sqrtr1; congr variance; apply/funext => w; exact: divr1.
Qed.
(* [proof:unit_variance_scaling_general_without_independent_vectors] *)

(* d = 1, U = R, V = 1 + R: 2 *)
(* [statement:unit_variance_scaling_general_without_zero_mean] *)
Example unit_variance_scaling_general_without_zero_mean
    (q := fun (_ : 'I_1) (w : P) => sign w.1 : R) (k := fun (_ : 'I_1) (w : P) => shifted w.2 : R) :
  [/\ (forall i, L2 (measure_of P) (q i)) /\ (forall i, L2 (measure_of P) (k i)),
      General.independent_vectors (measure_of P) (fun w => w.1) (fun w => w.2),
      identity_covariance q k, positive_dimension 1
    & 'Var_w[dot q k w / Num.sqrt 1%:R] = 2%:R].
(* [statement:unit_variance_scaling_general_without_zero_mean] *)
(* [proof:unit_variance_scaling_general_without_zero_mean] *)
Proof.
have [qk2 indep one v] := dot_product_variance_general_without_zero_mean R.
split; [exact: qk2|exact: indep|exact: one|by []|].
by rewrite -[RHS]v sqrtr1; congr variance; apply/funext => w; exact: divr1.
Qed.
(* [proof:unit_variance_scaling_general_without_zero_mean] *)

(* d = 2, U_1 = U_2 and V_1 = V_2, fair signs: 4/2 *)
(* [statement:unit_variance_scaling_general_without_identity_covariance] *)
Example unit_variance_scaling_general_without_identity_covariance
    (q := fun (_ : 'I_2) (w : P) => sign w.1 : R) (k := fun (_ : 'I_2) (w : P) => sign w.2 : R) :
  [/\ (forall i, L2 (measure_of P) (q i)) /\ (forall i, L2 (measure_of P) (k i)),
      General.independent_vectors (measure_of P) (fun w => w.1) (fun w => w.2),
      zero_mean (components q k), positive_dimension 2
    & 'Var_w[dot q k w / Num.sqrt 2%:R] = 2%:R].
(* [statement:unit_variance_scaling_general_without_identity_covariance] *)
(* [proof:unit_variance_scaling_general_without_identity_covariance] *)
Proof.
have [qk2 indep zero _] := dot_product_variance_general_without_identity_covariance R.
split; [exact: qk2|exact: indep|exact: zero|by []|].
rewrite (_ : (fun w => _) = fun w : P => 2%:R / Num.sqrt 2%:R * (sign w.1 * sign w.2)).
  rewrite variance_equal_components exprMn exprVn sqr_sqrtr ?ler0n // expr2 mulfK //.
  by rewrite pnatr_eq0.
by apply/funext => w; rewrite equal_components mulrAC.
Qed.
(* [proof:unit_variance_scaling_general_without_identity_covariance] *)

(* d = 0: 0 *)
(* [statement:unit_variance_scaling_general_without_positive_dimension] *)
Example unit_variance_scaling_general_without_positive_dimension
    (q := fun (_ : 'I_0) (w : P) => sign w.1 : R) (k := fun (_ : 'I_0) (w : P) => sign w.2 : R) :
  [/\ (forall i, L2 (measure_of P) (q i)) /\ (forall i, L2 (measure_of P) (k i)),
      General.independent_vectors (measure_of P) (fun w => w.1) (fun w => w.2),
      zero_mean (components q k), identity_covariance q k
    & 'Var_w[dot q k w / Num.sqrt 0%:R] = 0].
(* [statement:unit_variance_scaling_general_without_positive_dimension] *)
(* [proof:unit_variance_scaling_general_without_positive_dimension] *)
Proof.
split; [exact: two_coins_L2|exact: two_coins_independent|by case=> -[]|by split=> -[]|].
rewrite (_ : (fun w => _) = fun w : P => 0 * (sign w.1 * sign w.2)).
  by rewrite variance_equal_components expr0n.
by apply/funext => w; rewrite /dot big_ord0 !mul0r.
Qed.
(* [proof:unit_variance_scaling_general_without_positive_dimension] *)
End Counterexamples.
