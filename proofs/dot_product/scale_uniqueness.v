From mathcomp Require Import all_ssreflect ssralg ssrnum.
From mathcomp.analysis Require Import reals sequences exp.
From rootdk.theory Require Import law finite_law coins.
From rootdk.dot_product Require Import variance_rules dot_product_variance unit_variance_scaling.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Step 10. sqrt d is the only positive divisor, and 1/2 the only exponent, with variance 1 *)

(* [statement:scale_uniqueness] *)
Theorem scale_uniqueness (R : rcfType) (P : finite_law R) (d : nat) (q k : 'I_d -> P -> R)
    (H_mutually_independent : mutually_independent (components q k))
    (H_zero_mean : zero_mean (components q k))
    (H_unit_variance : unit_variance (components q k))
    (H_positive_dimension : positive_dimension d) :
  0 < Num.sqrt (d%:R : R) /\
  forall c, 0 < c -> ('Var_w[dot q k w / c] = 1 <-> c = Num.sqrt d%:R).
(* [statement:scale_uniqueness] *)
(* [proof:scale_uniqueness] *)
Proof.
split=> [|c c0]; first by rewrite sqrtr_gt0 ltr0n.
split=> [|->]; last by have [] := unit_variance_scaling H_mutually_independent H_zero_mean
  H_unit_variance H_positive_dimension.
rewrite variance_divided dot_product_variance // => /(canRL (divfK _)).
rewrite mul1r sqrf_eq0 gt_eqF // => -> //.
by rewrite sqrtr_sqr gtr0_norm.
Qed.
(* [proof:scale_uniqueness] *)

(* [statement:scale_uniqueness_exponent] *)
Theorem scale_uniqueness_exponent (R : realType) (P : finite_law R) (d : nat)
    (q k : 'I_d -> P -> R)
    (H_mutually_independent : mutually_independent (components q k))
    (H_zero_mean : zero_mean (components q k))
    (H_unit_variance : unit_variance (components q k))
    (H_two_or_more_dimensions : two_or_more_dimensions d) :
  (forall a, 'Var_w[dot q k w / d%:R `^ a] = d%:R `^ (1 - 2%:R * a)) /\
  (forall a, 'Var_w[dot q k w / d%:R `^ a] = 1 <-> a = 2%:R^-1).
(* [statement:scale_uniqueness_exponent] *)
(* [proof:scale_uniqueness_exponent] *)
Proof.
have d0 : 0 < d%:R :> R by rewrite ltr0n (ltnW H_two_or_more_dimensions).
have powerE a : 'Var_w[dot q k w / d%:R `^ a] = d%:R `^ (1 - 2%:R * a).
  rewrite variance_divided dot_product_variance // exp_funD // exp_funr1 //; congr (_ * _).
  by rewrite /exp_fun -expRMm -expRN; congr expR; rewrite mulNr mulrA.
split=> // a; rewrite powerE; split=> [|->]; last first.
  by rewrite divff ?pnatr_eq0 // subrr exp_funr0.
rewrite /exp_fun -[1 in RHS]expR0 => /expR_inj/eqP.
rewrite mulf_eq0 [ln _ == 0]gt_eqF ?ln_gt0 ?ltr1n // orbF subr_eq0 => /eqP a1.
have two : 2%:R != 0 :> R by rewrite pnatr_eq0.
by rewrite -(mulKf two a) -a1 mulr1.
Qed.
(* [proof:scale_uniqueness_exponent] *)

(* no scale leaves d, division by d leaves 1/d: as a product, since 1/0 is 0 in Coq *)
(* [statement:scale_uniqueness_cases] *)
Theorem scale_uniqueness_cases (R : realFieldType) (P : finite_law R) (d : nat)
    (q k : 'I_d -> P -> R)
    (H_mutually_independent : mutually_independent (components q k))
    (H_zero_mean : zero_mean (components q k))
    (H_unit_variance : unit_variance (components q k))
    (H_positive_dimension : positive_dimension d) :
  'Var_w[dot q k w] = d%:R /\ d%:R * 'Var_w[dot q k w / d%:R] = 1.
(* [statement:scale_uniqueness_cases] *)
(* [proof:scale_uniqueness_cases] *)
Proof.
split; first exact: dot_product_variance.
have d0 : d%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
by rewrite variance_divided dot_product_variance // expr2 mulrA divff // mulf_neq0.
Qed.
(* [proof:scale_uniqueness_cases] *)

Section Instances.
Variables (R : rcfType) (d : nat).

(* 2d independent fair signs *)
(* [statement:scale_uniqueness_instance] *)
Example scale_uniqueness_instance
    (q := @coin_query R d.+1 sign) (k := @coin_key R d.+1 sign) :
  [/\ mutually_independent (components q k), zero_mean (components q k),
      unit_variance (components q k), positive_dimension d.+1
    & forall c, 0 < c -> ('Var_w[dot q k w / c] = 1 <-> c = Num.sqrt d.+1%:R)].
(* [statement:scale_uniqueness_instance] *)
(* [proof:scale_uniqueness_instance] *)
Proof.
have [indep zero one dpos _] := unit_variance_scaling_instance R d.
by split=> //; have [] := scale_uniqueness indep zero one dpos.
Qed.
(* [proof:scale_uniqueness_instance] *)

(* In each of the next three Var(q . k / sqrt d) is not 1 *)
(* [statement:scale_uniqueness_without_mutually_independent] *)
Example scale_uniqueness_without_mutually_independent
    (q := @three_query R) (k := @three_key R) :
  [/\ zero_mean (components q k), unit_variance (components q k), positive_dimension 2 &
      ~ (0 < Num.sqrt (2%:R : R) /\
         forall c, 0 < c -> ('Var_w[dot q k w / c] = 1 <-> c = Num.sqrt 2%:R))].
(* [statement:scale_uniqueness_without_mutually_independent] *)
(* [proof:scale_uniqueness_without_mutually_independent] *)
Proof.
have [zero one dpos /eqP v] := unit_variance_scaling_without_mutually_independent R.
by split=> // -[c0 /(_ _ c0)[_ /(_ erefl)]].
Qed.
(* [proof:scale_uniqueness_without_mutually_independent] *)

(* [statement:scale_uniqueness_without_zero_mean] *)
Example scale_uniqueness_without_zero_mean
    (q := @coin_query R d.+1 sign) (k := @coin_key R d.+1 shifted) :
  [/\ mutually_independent (components q k), unit_variance (components q k),
      positive_dimension d.+1 &
      ~ (0 < Num.sqrt (d.+1%:R : R) /\
         forall c, 0 < c -> ('Var_w[dot q k w / c] = 1 <-> c = Num.sqrt d.+1%:R))].
(* [statement:scale_uniqueness_without_zero_mean] *)
(* [proof:scale_uniqueness_without_zero_mean] *)
Proof.
have [indep one dpos /eqP v] := unit_variance_scaling_without_zero_mean R d.
by split=> // -[c0 /(_ _ c0)[_ /(_ erefl)]].
Qed.
(* [proof:scale_uniqueness_without_zero_mean] *)

(* [statement:scale_uniqueness_without_unit_variance] *)
Example scale_uniqueness_without_unit_variance
    (q := @coin_query R d.+1 sign) (k := @coin_key R d.+1 (fun b => 2%:R * sign b)) :
  [/\ mutually_independent (components q k), zero_mean (components q k),
      positive_dimension d.+1 &
      ~ (0 < Num.sqrt (d.+1%:R : R) /\
         forall c, 0 < c -> ('Var_w[dot q k w / c] = 1 <-> c = Num.sqrt d.+1%:R))].
(* [statement:scale_uniqueness_without_unit_variance] *)
(* [proof:scale_uniqueness_without_unit_variance] *)
Proof.
have [indep zero dpos /eqP v] := unit_variance_scaling_without_unit_variance R d.
by split=> // -[c0 /(_ _ c0)[_ /(_ erefl)]].
Qed.
(* [proof:scale_uniqueness_without_unit_variance] *)

(* d = 0: sqrt 0 does not divide *)
(* [statement:scale_uniqueness_without_positive_dimension] *)
Example scale_uniqueness_without_positive_dimension
    (q := @coin_query R 0 sign) (k := @coin_key R 0 sign) :
  [/\ mutually_independent (components q k), zero_mean (components q k),
      unit_variance (components q k) &
      ~ (0 < Num.sqrt (0%:R : R) /\
         forall c, 0 < c -> ('Var_w[dot q k w / c] = 1 <-> c = Num.sqrt 0%:R))].
(* [statement:scale_uniqueness_without_positive_dimension] *)
(* [proof:scale_uniqueness_without_positive_dimension] *)
Proof.
have [indep zero one _] := dot_product_variance_instance R 0.
by split=> // -[]; rewrite sqrtr0 ltxx.
Qed.
(* [proof:scale_uniqueness_without_positive_dimension] *)

(* [statement:scale_uniqueness_cases_instance] *)
Example scale_uniqueness_cases_instance
    (q := @coin_query R d.+1 sign) (k := @coin_key R d.+1 sign) :
  [/\ mutually_independent (components q k), zero_mean (components q k),
      unit_variance (components q k), positive_dimension d.+1 &
      'Var_w[dot q k w] = d.+1%:R /\ d.+1%:R * 'Var_w[dot q k w / d.+1%:R] = 1].
(* [statement:scale_uniqueness_cases_instance] *)
(* [proof:scale_uniqueness_cases_instance] *)
Proof.
have [indep zero one _] := dot_product_variance_instance R d.+1.
by split=> //; exact: scale_uniqueness_cases.
Qed.
(* [proof:scale_uniqueness_cases_instance] *)

(* [statement:scale_uniqueness_cases_without_mutually_independent] *)
Example scale_uniqueness_cases_without_mutually_independent
    (q := @three_query R) (k := @three_key R) :
  [/\ zero_mean (components q k), unit_variance (components q k), positive_dimension 2 &
      ~ ('Var_w[dot q k w] = 2%:R /\ 2%:R * 'Var_w[dot q k w / 2%:R] = 1)].
(* [statement:scale_uniqueness_cases_without_mutually_independent] *)
(* [proof:scale_uniqueness_cases_without_mutually_independent] *)
Proof.
have [zero one _ /eqP v] := dot_product_variance_without_mutually_independent R.
by split=> // -[/v].
Qed.
(* [proof:scale_uniqueness_cases_without_mutually_independent] *)

(* [statement:scale_uniqueness_cases_without_zero_mean] *)
Example scale_uniqueness_cases_without_zero_mean
    (q := @coin_query R d.+1 sign) (k := @coin_key R d.+1 shifted) :
  [/\ mutually_independent (components q k), unit_variance (components q k),
      positive_dimension d.+1 &
      ~ ('Var_w[dot q k w] = d.+1%:R /\ d.+1%:R * 'Var_w[dot q k w / d.+1%:R] = 1)].
(* [statement:scale_uniqueness_cases_without_zero_mean] *)
(* [proof:scale_uniqueness_cases_without_zero_mean] *)
Proof.
have [indep one _ /eqP v] := dot_product_variance_without_zero_mean R d.
by split=> // -[/v].
Qed.
(* [proof:scale_uniqueness_cases_without_zero_mean] *)

(* [statement:scale_uniqueness_cases_without_unit_variance] *)
Example scale_uniqueness_cases_without_unit_variance
    (q := @coin_query R d.+1 sign) (k := @coin_key R d.+1 (fun b => 2%:R * sign b)) :
  [/\ mutually_independent (components q k), zero_mean (components q k),
      positive_dimension d.+1 &
      ~ ('Var_w[dot q k w] = d.+1%:R /\ d.+1%:R * 'Var_w[dot q k w / d.+1%:R] = 1)].
(* [statement:scale_uniqueness_cases_without_unit_variance] *)
(* [proof:scale_uniqueness_cases_without_unit_variance] *)
Proof.
have [indep zero _ /eqP v] := dot_product_variance_without_unit_variance R d.
by split=> // -[/v].
Qed.
(* [proof:scale_uniqueness_cases_without_unit_variance] *)
(* d = 0: the variance is 0 after any division *)
(* [statement:scale_uniqueness_cases_without_positive_dimension] *)
Example scale_uniqueness_cases_without_positive_dimension
    (q := @coin_query R 0 sign) (k := @coin_key R 0 sign) :
  [/\ mutually_independent (components q k), zero_mean (components q k),
      unit_variance (components q k) &
      ~ ('Var_w[dot q k w] = 0%:R /\ 0%:R * 'Var_w[dot q k w / 0%:R] = 1)].
(* [statement:scale_uniqueness_cases_without_positive_dimension] *)
(* [proof:scale_uniqueness_cases_without_positive_dimension] *)
Proof.
have [indep zero one _] := dot_product_variance_instance R 0.
by split=> // -[_ /eqP]; rewrite mul0r eq_sym oner_eq0.
Qed.
(* [proof:scale_uniqueness_cases_without_positive_dimension] *)
End Instances.

Section Exponents.
Variables (R : realType) (d : nat).

(* division by d^(1/2) is division by sqrt d *)
Lemma exp_fun_half n : (n.+1%:R : R) `^ 2%:R^-1 = Num.sqrt n.+1%:R.
Proof.
apply/eqP; rewrite -(@eqr_expn2 _ 2) ?sqrtr_ge0 ?ltW ?exp_fun_gt0 // sqr_sqrtr ?ler0n //.
have half2 : 2%:R^-1 + 2%:R^-1 = 1 :> R by rewrite -mulr2n -[LHS]mulr_natr mulVf ?pnatr_eq0.
by rewrite expr2 -exp_funD ?ltr0n // half2 exp_funr1 ?ltr0n.
Qed.

Lemma exponent_fails n (P : finite_law R) (X : P -> R) :
  'Var_w[X w / Num.sqrt n.+1%:R] != 1 ->
  ~ ((forall a, 'Var_w[X w / n.+1%:R `^ a] = n.+1%:R `^ (1 - 2%:R * a)) /\
     (forall a, 'Var_w[X w / n.+1%:R `^ a] = 1 <-> a = 2%:R^-1)).
Proof. by rewrite -exp_fun_half => /eqP v [_ h]; apply/v/h. Qed.

(* [statement:scale_uniqueness_exponent_instance] *)
Example scale_uniqueness_exponent_instance
    (q := @coin_query R d.+2 sign) (k := @coin_key R d.+2 sign) :
  [/\ mutually_independent (components q k), zero_mean (components q k),
      unit_variance (components q k), two_or_more_dimensions d.+2
    & forall a, 'Var_w[dot q k w / d.+2%:R `^ a] = 1 <-> a = 2%:R^-1].
(* [statement:scale_uniqueness_exponent_instance] *)
(* [proof:scale_uniqueness_exponent_instance] *)
Proof.
have [indep zero one _] := dot_product_variance_instance R d.+2.
have two : two_or_more_dimensions d.+2 by [].
by split=> //; have [] := scale_uniqueness_exponent indep zero one two.
Qed.
(* [proof:scale_uniqueness_exponent_instance] *)

(* [statement:scale_uniqueness_exponent_without_mutually_independent] *)
Example scale_uniqueness_exponent_without_mutually_independent
    (q := @three_query R) (k := @three_key R) :
  [/\ zero_mean (components q k), unit_variance (components q k), two_or_more_dimensions 2 &
      ~ ((forall a, 'Var_w[dot q k w / 2%:R `^ a] = 2%:R `^ (1 - 2%:R * a)) /\
         (forall a, 'Var_w[dot q k w / 2%:R `^ a] = 1 <-> a = 2%:R^-1))].
(* [statement:scale_uniqueness_exponent_without_mutually_independent] *)
(* [proof:scale_uniqueness_exponent_without_mutually_independent] *)
Proof.
have [zero one dpos v] := unit_variance_scaling_without_mutually_independent R.
by split=> //; exact: exponent_fails.
Qed.
(* [proof:scale_uniqueness_exponent_without_mutually_independent] *)

(* [statement:scale_uniqueness_exponent_without_zero_mean] *)
Example scale_uniqueness_exponent_without_zero_mean
    (q := @coin_query R d.+2 sign) (k := @coin_key R d.+2 shifted) :
  [/\ mutually_independent (components q k), unit_variance (components q k),
      two_or_more_dimensions d.+2 &
      ~ ((forall a, 'Var_w[dot q k w / d.+2%:R `^ a] = d.+2%:R `^ (1 - 2%:R * a)) /\
         (forall a, 'Var_w[dot q k w / d.+2%:R `^ a] = 1 <-> a = 2%:R^-1))].
(* [statement:scale_uniqueness_exponent_without_zero_mean] *)
(* [proof:scale_uniqueness_exponent_without_zero_mean] *)
Proof.
have [indep one dpos v] := unit_variance_scaling_without_zero_mean R d.+1.
by split=> //; exact: exponent_fails.
Qed.
(* [proof:scale_uniqueness_exponent_without_zero_mean] *)

(* [statement:scale_uniqueness_exponent_without_unit_variance] *)
Example scale_uniqueness_exponent_without_unit_variance
    (q := @coin_query R d.+2 sign) (k := @coin_key R d.+2 (fun b => 2%:R * sign b)) :
  [/\ mutually_independent (components q k), zero_mean (components q k),
      two_or_more_dimensions d.+2 &
      ~ ((forall a, 'Var_w[dot q k w / d.+2%:R `^ a] = d.+2%:R `^ (1 - 2%:R * a)) /\
         (forall a, 'Var_w[dot q k w / d.+2%:R `^ a] = 1 <-> a = 2%:R^-1))].
(* [statement:scale_uniqueness_exponent_without_unit_variance] *)
(* [proof:scale_uniqueness_exponent_without_unit_variance] *)
Proof.
have [indep zero dpos v] := unit_variance_scaling_without_unit_variance R d.+1.
by split=> //; exact: exponent_fails.
Qed.
(* [proof:scale_uniqueness_exponent_without_unit_variance] *)

(* d = 1: every exponent gives variance 1 *)
(* [statement:scale_uniqueness_exponent_without_two_or_more_dimensions] *)
Example scale_uniqueness_exponent_without_two_or_more_dimensions
    (q := @coin_query R 1 sign) (k := @coin_key R 1 sign) :
  [/\ mutually_independent (components q k), zero_mean (components q k),
      unit_variance (components q k) & forall a, 'Var_w[dot q k w / 1%:R `^ a] = 1].
(* [statement:scale_uniqueness_exponent_without_two_or_more_dimensions] *)
(* [proof:scale_uniqueness_exponent_without_two_or_more_dimensions] *)
Proof.
have [indep zero one v] := dot_product_variance_instance R 1.
by split=> // a; rewrite variance_divided v exp_fun1 expr1n divr1.
Qed.
(* [proof:scale_uniqueness_exponent_without_two_or_more_dimensions] *)
End Exponents.

(* The same on any probability space, for independent vectors q = q(X) and k = k(Y) *)
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp.analysis Require Import ereal measure lebesgue_measure lebesgue_integral.
From rootdk.theory Require Import general_law general_coin.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

(* [statement:scale_uniqueness_general] *)
Theorem scale_uniqueness_general d0 d1 d2 (Om : measurableType d0)
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
  0 < Num.sqrt (d%:R : R) /\
  forall c, 0 < c -> ('Var_w[dot q k w / c] = 1 <-> c = Num.sqrt d%:R).
(* [statement:scale_uniqueness_general] *)
(* [proof:scale_uniqueness_general] *)
Proof.
have varE c : 'Var_w[dot q k w / c] = c^-1 ^+ 2 * d%:R.
  rewrite (_ : (fun w => _) = fun w => c^-1 * dot q k w); last first.
    by apply/funext => w; exact: mulrC.
  by have [_ ->] := dot_product_moments_general c^-1 measurable_X measurable_Y measurable_f
    measurable_g square_integrable_q square_integrable_k H_independent_vectors H_zero_mean
    H_identity_covariance.
split=> [|c c0]; first by rewrite sqrtr_gt0 ltr0n.
rewrite varE exprVn; split=> [e|->]; last first.
  by rewrite sqr_sqrtr ?ler0n // mulVf // pnatr_eq0 -lt0n.
have c2 : c ^+ 2 != 0 by rewrite sqrf_eq0 gt_eqF.
have -> : d%:R = c ^+ 2 by rewrite -[LHS](mulVKf c2) e mulr1.
by rewrite sqrtr_sqr gtr0_norm.
Qed.
(* [proof:scale_uniqueness_general] *)

(* q = (sign x_1, sign x_2) and k = (sign y, sign y) for three coins *)
(* [statement:scale_uniqueness_general_instance] *)
Example scale_uniqueness_general_instance (R : realType)
    (P := pair_law (pair_law (general_coin R) (general_coin R)) (general_coin R))
    (q := fun i (w : P) => two_signs R i w.1) (k := fun i (w : P) => same_sign R i w.2) :
  [/\ (forall i, L2 (measure_of P) (q i)) /\ (forall i, L2 (measure_of P) (k i)),
      General.independent_vectors (measure_of P) (fun w => w.1) (fun w => w.2),
      zero_mean (components q k), identity_covariance q k /\ positive_dimension 2
    & forall c, 0 < c -> ('Var_w[dot q k w / c] = 1 <-> c = Num.sqrt 2%:R)].
(* [statement:scale_uniqueness_general_instance] *)
(* [proof:scale_uniqueness_general_instance] *)
Proof.
have [[q2 k2] indep zero one] := three_coins_hypotheses R; split; [by []..|].
by have [] := scale_uniqueness_general (@measurable_fun_fst _ _ _ _) (@measurable_fun_snd _ _ _ _)
  (@measurable_two_signs R) (@measurable_same_sign R) q2 k2 indep zero one isT.
Qed.
(* [proof:scale_uniqueness_general_instance] *)

Section General.
Variable R : realType.
Let X := general_coin R.
Let P := pair_law X X.

(* in each of the next three Var(q . k / sqrt d) is not 1 *)
(* [statement:scale_uniqueness_general_without_independent_vectors] *)
Example scale_uniqueness_general_without_independent_vectors
    (q := fun (_ : 'I_1) (w : X) => sign w : R) (k := q) :
  [/\ forall i, L2 (measure_of X) (q i), zero_mean (components q k), identity_covariance q k,
      positive_dimension 1 & ~ (0 < Num.sqrt (1%:R : R) /\
         forall c, 0 < c -> ('Var_w[dot q k w / c] = 1 <-> c = Num.sqrt 1%:R))].
(* [statement:scale_uniqueness_general_without_independent_vectors] *)
(* [proof:scale_uniqueness_general_without_independent_vectors] *)
Proof.
have [q2 zero one dpos v] := unit_variance_scaling_general_without_independent_vectors R.
split; [exact: q2|exact: zero|exact: one|by []|].
by move=> [c0 /(_ _ c0)[_ /(_ erefl)]]; rewrite v => /eqP; rewrite eq_sym oner_eq0.
Qed.
(* [proof:scale_uniqueness_general_without_independent_vectors] *)

(* [statement:scale_uniqueness_general_without_zero_mean] *)
Example scale_uniqueness_general_without_zero_mean
    (q := fun (_ : 'I_1) (w : P) => sign w.1 : R) (k := fun (_ : 'I_1) (w : P) => shifted w.2 : R) :
  [/\ (forall i, L2 (measure_of P) (q i)) /\ (forall i, L2 (measure_of P) (k i)),
      General.independent_vectors (measure_of P) (fun w => w.1) (fun w => w.2),
      identity_covariance q k, positive_dimension 1 & ~ (0 < Num.sqrt (1%:R : R) /\
         forall c, 0 < c -> ('Var_w[dot q k w / c] = 1 <-> c = Num.sqrt 1%:R))].
(* [statement:scale_uniqueness_general_without_zero_mean] *)
(* [proof:scale_uniqueness_general_without_zero_mean] *)
Proof.
have [qk2 indep one dpos v] := unit_variance_scaling_general_without_zero_mean R.
split; [exact: qk2|exact: indep|exact: one|by []|].
by move=> [c0 /(_ _ c0)[_ /(_ erefl)]]; rewrite v => /eqP; rewrite pnatr_eq1.
Qed.
(* [proof:scale_uniqueness_general_without_zero_mean] *)

(* [statement:scale_uniqueness_general_without_identity_covariance] *)
Example scale_uniqueness_general_without_identity_covariance
    (q := fun (_ : 'I_2) (w : P) => sign w.1 : R) (k := fun (_ : 'I_2) (w : P) => sign w.2 : R) :
  [/\ (forall i, L2 (measure_of P) (q i)) /\ (forall i, L2 (measure_of P) (k i)),
      General.independent_vectors (measure_of P) (fun w => w.1) (fun w => w.2),
      zero_mean (components q k), positive_dimension 2 & ~ (0 < Num.sqrt (2%:R : R) /\
         forall c, 0 < c -> ('Var_w[dot q k w / c] = 1 <-> c = Num.sqrt 2%:R))].
(* [statement:scale_uniqueness_general_without_identity_covariance] *)
(* [proof:scale_uniqueness_general_without_identity_covariance] *)
Proof.
have [qk2 indep zero dpos v] := unit_variance_scaling_general_without_identity_covariance R.
split; [exact: qk2|exact: indep|exact: zero|by []|].
by move=> [c0 /(_ _ c0)[_ /(_ erefl)]]; rewrite v => /eqP; rewrite pnatr_eq1.
Qed.
(* [proof:scale_uniqueness_general_without_identity_covariance] *)

(* d = 0 *)
(* [statement:scale_uniqueness_general_without_positive_dimension] *)
Example scale_uniqueness_general_without_positive_dimension
    (q := fun (_ : 'I_0) (w : P) => sign w.1 : R) (k := fun (_ : 'I_0) (w : P) => sign w.2 : R) :
  [/\ (forall i, L2 (measure_of P) (q i)) /\ (forall i, L2 (measure_of P) (k i)),
      General.independent_vectors (measure_of P) (fun w => w.1) (fun w => w.2),
      zero_mean (components q k), identity_covariance q k & ~ (0 < Num.sqrt (0%:R : R) /\
         forall c, 0 < c -> ('Var_w[dot q k w / c] = 1 <-> c = Num.sqrt 0%:R))].
(* [statement:scale_uniqueness_general_without_positive_dimension] *)
(* [proof:scale_uniqueness_general_without_positive_dimension] *)
Proof.
have [qk2 indep zero one _] := unit_variance_scaling_general_without_positive_dimension R.
split; [exact: qk2|exact: indep|exact: zero|exact: one|].
by case; rewrite sqrtr0 ltxx.
Qed.
(* [proof:scale_uniqueness_general_without_positive_dimension] *)
End General.
