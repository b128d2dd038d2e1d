From mathcomp Require Import all_ssreflect ssralg ssrnum.
From rootdk.theory Require Import law finite_law coins.
From rootdk.dot_product Require Import product_variance.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Step 5. Var(UV) = E(U^2)E(V^2) as soon as one of the two means is 0 *)

(* [statement:centred_product_variance] *)
Theorem centred_product_variance (R : realFieldType) (P : finite_law R) (U V : P -> R)
    (H_independent_pair : independent_pair U V) (H_zero_mean : zero_mean (single U)) :
  'Var_w[U w * V w] = 'E_w[U w ^+ 2] * 'E_w[V w ^+ 2].
(* [statement:centred_product_variance] *)
(* [proof:centred_product_variance] *)
Proof. by rewrite product_variance // (H_zero_mean tt) expr0n mul0r subr0. Qed.
(* [proof:centred_product_variance] *)

(* [statement:centred_product_variance_other] *)
Theorem centred_product_variance_other (R : realFieldType) (P : finite_law R) (U V : P -> R)
    (H_independent_pair : independent_pair U V) (H_zero_mean : zero_mean (single V)) :
  'Var_w[U w * V w] = 'E_w[U w ^+ 2] * 'E_w[V w ^+ 2].
(* [statement:centred_product_variance_other] *)
(* [proof:centred_product_variance_other] *)
Proof. by rewrite product_variance // (H_zero_mean tt) expr0n mulr0 subr0. Qed.
(* [proof:centred_product_variance_other] *)

(* R and an independent copy of 1 + R: one mean is 0, the other 1 *)
(* [statement:centred_product_variance_instance] *)
Example centred_product_variance_instance (R : realFieldType)
    (U := coin_query sign ord0 : coins R 1 -> R)
    (V := coin_key shifted ord0 : coins R 1 -> R) :
  [/\ independent_pair U V, zero_mean (single U) & 'Var_w[U w * V w] = 2%:R].
(* [statement:centred_product_variance_instance] *)
(* [proof:centred_product_variance_instance] *)
Proof.
have indep : independent_pair U V by exact: (mutual_pairs (@coins_independent R 1 _ _)).
have U0 : zero_mean (single U).
  by case; rewrite (mean_query _ _ id) mean_sign.
split=> //; rewrite centred_product_variance //.
rewrite (mean_query _ _ (fun x => x ^+ 2)) (mean_key _ _ (fun x => x ^+ 2)).
by rewrite mean_sign_sqr mean_shifted_sqr mul1r.
Qed.
(* [proof:centred_product_variance_instance] *)

(* [statement:centred_product_variance_other_instance] *)
Example centred_product_variance_other_instance (R : realFieldType)
    (U := coin_query shifted ord0 : coins R 1 -> R)
    (V := coin_key sign ord0 : coins R 1 -> R) :
  [/\ independent_pair U V, zero_mean (single V) & 'Var_w[U w * V w] = 2%:R].
(* [statement:centred_product_variance_other_instance] *)
(* [proof:centred_product_variance_other_instance] *)
Proof.
have indep : independent_pair U V by exact: (mutual_pairs (@coins_independent R 1 _ _)).
have V0 : zero_mean (single V).
  by case; rewrite (mean_key _ _ id) mean_sign.
split=> //; rewrite centred_product_variance_other //.
rewrite (mean_query _ _ (fun x => x ^+ 2)) (mean_key _ _ (fun x => x ^+ 2)).
by rewrite mean_sign_sqr mean_shifted_sqr mulr1.
Qed.
(* [proof:centred_product_variance_other_instance] *)

(* U = V = R: 0 against 1 *)
(* [statement:centred_product_variance_without_independent_pair] *)
Example centred_product_variance_without_independent_pair (R : realFieldType)
    (U := sign : coin R -> R) :
  [/\ zero_mean (single U), 'Var_w[U w * U w] = 0, 'E_w[U w ^+ 2] * 'E_w[U w ^+ 2] = 1
    & 'Var_w[U w * U w] != 'E_w[U w ^+ 2] * 'E_w[U w ^+ 2]].
(* [statement:centred_product_variance_without_independent_pair] *)
(* [proof:centred_product_variance_without_independent_pair] *)
Proof.
have U0 : 'E_w[U w] = 0 by rewrite mean_sign.
have [a] := product_variance_without_independent_pair R.
by rewrite -/U U0 expr0n mulr0 subr0 => b c; split=> // -[].
Qed.
(* [proof:centred_product_variance_without_independent_pair] *)

(* (U, V) uniform on (1,0), (-1,0), (0,1), (0,-1): uncorrelated is not enough, 0 against 1/4 *)
(* [statement:centred_product_variance_without_independent_pair_uncorrelated] *)
Example centred_product_variance_without_independent_pair_uncorrelated (R : realFieldType)
    (P := uniform R (true, true))
    (U := (fun w => if w.1 then sign w.2 else 0) : P -> R)
    (V := (fun w => if w.1 then 0 else sign w.2) : P -> R) :
  [/\ zero_mean (single U), 'E_w[U w * V w] = 'E_w[U w] * 'E_w[V w], 'Var_w[U w * V w] = 0
    & 'E_w[U w ^+ 2] * 'E_w[V w ^+ 2] = 4%:R^-1].
(* [statement:centred_product_variance_without_independent_pair_uncorrelated] *)
(* [proof:centred_product_variance_without_independent_pair_uncorrelated] *)
Proof.
have [c v f] := product_variance_without_independent_pair_uncorrelated R.
have U0 : 'E_w[U w] = 0.
  by rewrite mean_uniform sum_bool2 !big_bool /= !addr0 addrN mul0r.
split; [by case|exact: c|exact: v|].
by move: f; rewrite -/U -/V U0 expr0n mul0r subr0.
Qed.
(* [proof:centred_product_variance_without_independent_pair_uncorrelated] *)

(* two independent copies of 1 + R: 3 against 4 *)
(* [statement:centred_product_variance_without_zero_mean] *)
Example centred_product_variance_without_zero_mean (R : realFieldType)
    (U := coin_query shifted ord0 : coins R 1 -> R)
    (V := coin_key shifted ord0 : coins R 1 -> R) :
  [/\ independent_pair U V, 'Var_w[U w * V w] = 3%:R, 'E_w[U w ^+ 2] * 'E_w[V w ^+ 2] = 4%:R
    & 'Var_w[U w * V w] != 'E_w[U w ^+ 2] * 'E_w[V w ^+ 2]].
(* [statement:centred_product_variance_without_zero_mean] *)
(* [proof:centred_product_variance_without_zero_mean] *)
Proof.
have [indep a] := product_variance_instance R.
have b : 'E_w[U w ^+ 2] * 'E_w[V w ^+ 2] = 4%:R.
  rewrite (mean_query _ _ (fun x => x ^+ 2)) (mean_key _ _ (fun x => x ^+ 2)).
  by rewrite mean_shifted_sqr -natrM.
by split=> //; rewrite a b eqr_nat.
Qed.
(* [proof:centred_product_variance_without_zero_mean] *)

(* U = 1 + R and V = R: 1 against 2 *)
(* [statement:centred_product_variance_other_without_independent_pair] *)
Example centred_product_variance_other_without_independent_pair (R : realFieldType)
    (U := shifted : coin R -> R) (V := sign : coin R -> R) :
  [/\ zero_mean (single V), 'Var_w[U w * V w] = 1, 'E_w[U w ^+ 2] * 'E_w[V w ^+ 2] = 2%:R
    & 'Var_w[U w * V w] != 'E_w[U w ^+ 2] * 'E_w[V w ^+ 2]].
(* [statement:centred_product_variance_other_without_independent_pair] *)
(* [proof:centred_product_variance_other_without_independent_pair] *)
Proof.
have V0 : zero_mean (single V) by case; exact: mean_sign.
have a : 'Var_w[U w * V w] = 1.
  rewrite -(variance_shifted R); apply: eq_variance => w.
  by rewrite /U /V /shifted mulrDl mul1r -expr2 sign_sqr addrC.
have b : 'E_w[U w ^+ 2] * 'E_w[V w ^+ 2] = 2%:R by rewrite mean_shifted_sqr mean_sign_sqr mulr1.
by split=> //; rewrite a b eq_sym pnatr_eq1.
Qed.
(* [proof:centred_product_variance_other_without_independent_pair] *)

(* U = 1 and V = 1 + R: 1 against 2 *)
(* [statement:centred_product_variance_other_without_zero_mean] *)
Example centred_product_variance_other_without_zero_mean (R : realFieldType)
    (U := (fun=> 1) : coin R -> R) (V := shifted : coin R -> R) :
  [/\ independent_pair U V, 'Var_w[U w * V w] = 1, 'E_w[U w ^+ 2] * 'E_w[V w ^+ 2] = 2%:R
    & 'Var_w[U w * V w] != 'E_w[U w ^+ 2] * 'E_w[V w ^+ 2]].
(* [statement:centred_product_variance_other_without_zero_mean] *)
(* [proof:centred_product_variance_other_without_zero_mean] *)
Proof.
have indep : independent_pair U V.
  by move=> x y; rewrite /U /prob mean_cst -meanZ; apply: eq_mean => w; rewrite -natrM mulnb.
have a : 'Var_w[U w * V w] = 1.
  by rewrite -(variance_shifted R); apply: eq_variance => w; exact: mul1r.
have b : 'E_w[U w ^+ 2] * 'E_w[V w ^+ 2] = 2%:R.
  by rewrite mean_shifted_sqr (@mean_eq_cst _ _ 1) ?mul1r // => w; exact: expr1n.
by split=> //; rewrite a b eq_sym pnatr_eq1.
Qed.
(* [proof:centred_product_variance_other_without_zero_mean] *)

(* The same on any probability space *)
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp.analysis Require Import reals ereal measure lebesgue_measure lebesgue_integral.
From rootdk.theory Require Import general_law general_coin.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

(* [statement:centred_product_variance_general] *)
Theorem centred_product_variance_general d (Om : measurableType d) (R : realType)
    (P : probability Om R) (U V : P -> R)
    (square_integrable_U : L2 (measure_of P) U) (square_integrable_V : L2 (measure_of P) V)
    (H_independent_pair : General.independent_pair (measure_of P) U V)
    (H_zero_mean : zero_mean (single U)) :
  'Var_w[U w * V w] = 'E_w[U w ^+ 2] * 'E_w[V w ^+ 2].
(* [statement:centred_product_variance_general] *)
(* [proof:centred_product_variance_general] *)
Proof.
by rewrite product_variance_general // (H_zero_mean tt) expr0n mul0r subr0.
Qed.
(* [proof:centred_product_variance_general] *)

(* R and an independent copy of 1 + R *)
(* [statement:centred_product_variance_general_instance] *)
Example centred_product_variance_general_instance (R : realType)
    (P := pair_law (general_coin R) (general_coin R))
    (U := (fun w => sign w.1) : P -> R) (V := (fun w => shifted w.2) : P -> R) :
  [/\ L2 (measure_of P) U /\ L2 (measure_of P) V, General.independent_pair (measure_of P) U V,
      zero_mean (single U) & 'Var_w[U w * V w] = 'E_w[U w ^+ 2] * 'E_w[V w ^+ 2]].
(* [statement:centred_product_variance_general_instance] *)
(* [proof:centred_product_variance_general_instance] *)
Proof.
have U2 : L2 (measure_of P) U by exact/L2_first/L2_coin.
have V2 : L2 (measure_of P) V by exact/L2_second/L2_coin.
have indep : General.independent_pair (measure_of P) U V by exact: pair_independent.
have zero : zero_mean (single U).
  have s1 : L1 (measure_of (general_coin R)) sign by exact: L1_coin.
  by case; rewrite /mean /= (emean_first (general_coin R) s1) emean_sign.
by split=> //; exact: centred_product_variance_general.
Qed.
(* [proof:centred_product_variance_general_instance] *)

(* U = V = R *)
(* [statement:centred_product_variance_general_without_independent_pair] *)
Example centred_product_variance_general_without_independent_pair (R : realType)
    (P := general_coin R) (U := sign : P -> R) :
  [/\ L2 (measure_of P) U, zero_mean (single U), 'Var_w[U w * U w] = 0
    & 'E_w[U w ^+ 2] * 'E_w[U w ^+ 2] = 1].
(* [statement:centred_product_variance_general_without_independent_pair] *)
(* [proof:centred_product_variance_general_without_independent_pair] *)
Proof.
have [U2 v e] := product_variance_general_without_independent_pair R.
have zero : zero_mean (single U) by case; rewrite /mean /= emean_sign.
by split=> //; rewrite -[RHS]e (zero tt) expr0n mul0r subr0.
Qed.
(* [proof:centred_product_variance_general_without_independent_pair] *)

(* two independent copies of 1 + R: 1 less *)
(* [statement:centred_product_variance_general_without_zero_mean] *)
Example centred_product_variance_general_without_zero_mean (R : realType)
    (P := pair_law (general_coin R) (general_coin R))
    (U := (fun w => shifted w.1) : P -> R) (V := (fun w => shifted w.2) : P -> R) :
  [/\ L2 (measure_of P) U /\ L2 (measure_of P) V, General.independent_pair (measure_of P) U V
    & 'Var_w[U w * V w] = 'E_w[U w ^+ 2] * 'E_w[V w ^+ 2] - 1].
(* [statement:centred_product_variance_general_without_zero_mean] *)
(* [proof:centred_product_variance_general_without_zero_mean] *)
Proof.
have [U2 V2 indep ->] := product_variance_general_instance R; split=> //.
have m : emean (measure_of (general_coin R)) shifted = 1%E.
  by rewrite emean_coin /shifted /sign subrr addr0 -[1 + 1]/(2%:R) divff // pnatr_eq0.
have s1 : L1 (measure_of (general_coin R)) shifted by exact: L1_coin.
have -> : 'E_w[U w] = 1 by rewrite /mean /= (emean_first (general_coin R) s1) m.
have -> : 'E_w[V w] = 1 by rewrite /mean /= (emean_second (general_coin R) s1) m.
by rewrite expr1n mulr1.
Qed.
(* [proof:centred_product_variance_general_without_zero_mean] *)
