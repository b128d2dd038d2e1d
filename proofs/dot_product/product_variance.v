From mathcomp Require Import all_ssreflect ssralg ssrnum.
From rootdk.theory Require Import law finite_law coins.
From rootdk.dot_product Require Import variance_expansion independent_products.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Step 4. Var(UV) = E(U^2)E(V^2) - E^2(U)E^2(V) *)

(* [statement:product_variance] *)
Theorem product_variance (R : realFieldType) (P : finite_law R) (U V : P -> R)
    (H_independent_pair : independent_pair U V) :
  'Var_w[U w * V w] = 'E_w[U w ^+ 2] * 'E_w[V w ^+ 2] - 'E_w[U w] ^+ 2 * 'E_w[V w] ^+ 2.
(* [statement:product_variance] *)
(* [proof:product_variance] *)
Proof.
have [_ _ _ _ ->] := variance_expansion_lines U V.
by have [-> ->] := independent_products H_independent_pair; rewrite exprMn.
Qed.
(* [proof:product_variance] *)

(* two independent copies of 1 + R: 4 - 1 = 3 *)
(* [statement:product_variance_instance] *)
Example product_variance_instance (R : realFieldType)
    (U := coin_query shifted ord0 : coins R 1 -> R)
    (V := coin_key shifted ord0 : coins R 1 -> R) :
  independent_pair U V /\ 'Var_w[U w * V w] = 3%:R.
(* [statement:product_variance_instance] *)
(* [proof:product_variance_instance] *)
Proof.
have indep : independent_pair U V by exact: (mutual_pairs (@coins_independent R 1 _ _)).
split=> //; rewrite product_variance //.
rewrite (mean_query _ _ id) (mean_query _ _ (fun x => x ^+ 2)).
rewrite (mean_key _ _ id) (mean_key _ _ (fun x => x ^+ 2)) mean_shifted mean_shifted_sqr.
by rewrite expr1n mulr1 -natrM -[(2 * 2)%N]/(3 + 1)%N natrD addrK.
Qed.
(* [proof:product_variance_instance] *)

(* U = V = R: the product is constant, and the formula says 1 *)
(* [statement:product_variance_without_independent_pair] *)
Example product_variance_without_independent_pair (R : realFieldType) (U := sign : coin R -> R) :
  [/\ 'Var_w[U w * U w] = 0,
      'E_w[U w ^+ 2] * 'E_w[U w ^+ 2] - 'E_w[U w] ^+ 2 * 'E_w[U w] ^+ 2 = 1
    & 'Var_w[U w * U w] !=
      'E_w[U w ^+ 2] * 'E_w[U w ^+ 2] - 'E_w[U w] ^+ 2 * 'E_w[U w] ^+ 2].
(* [statement:product_variance_without_independent_pair] *)
(* [proof:product_variance_without_independent_pair] *)
Proof.
have [_ a] := variance_expansion_lines_instance R.
have [_ b c] := variance_expansion_instance R.
have e : 'E_w[U w ^+ 2] * 'E_w[U w ^+ 2] - 'E_w[U w] ^+ 2 * 'E_w[U w] ^+ 2 = 1.
  by rewrite b c expr0n mulr0 subr0 mulr1.
by split=> //; rewrite a e eq_sym oner_eq0.
Qed.
(* [proof:product_variance_without_independent_pair] *)

(* (U, V) uniform on (1,0), (-1,0), (0,1), (0,-1): uncorrelated is not enough, 0 against 1/4 *)
(* [statement:product_variance_without_independent_pair_uncorrelated] *)
Example product_variance_without_independent_pair_uncorrelated (R : realFieldType)
    (P := uniform R (true, true))
    (U := (fun w => if w.1 then sign w.2 else 0) : P -> R)
    (V := (fun w => if w.1 then 0 else sign w.2) : P -> R) :
  [/\ 'E_w[U w * V w] = 'E_w[U w] * 'E_w[V w], 'Var_w[U w * V w] = 0
    & 'E_w[U w ^+ 2] * 'E_w[V w ^+ 2] - 'E_w[U w] ^+ 2 * 'E_w[V w] ^+ 2 = 4%:R^-1].
(* [statement:product_variance_without_independent_pair_uncorrelated] *)
(* [proof:product_variance_without_independent_pair_uncorrelated] *)
Proof.
have [c e2 s _] := independent_products_without_independent_pair_squares R.
have e : 'E_w[U w * V w] = 0.
  by apply: mean_eq_cst => -[[] b]; rewrite /U /V /= ?mulr0 ?mul0r.
have m0 : 'E_w[U w] * 'E_w[V w] = 0 by rewrite -e; exact/esym/c.
split.
- exact: c.
- rewrite variance_expansion e expr0n subr0 -[RHS]e2.
  by apply: eq_mean => w; exact: exprMn.
- by rewrite -exprMn m0 expr0n subr0; exact: s.
Qed.
(* [proof:product_variance_without_independent_pair_uncorrelated] *)

(* The same on any probability space *)
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp.analysis Require Import reals ereal measure lebesgue_measure lebesgue_integral.
From rootdk.theory Require Import general_law general_coin.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

(* [statement:product_variance_general] *)
Theorem product_variance_general d (Om : measurableType d) (R : realType)
    (P : probability Om R) (U V : P -> R)
    (square_integrable_U : L2 (measure_of P) U) (square_integrable_V : L2 (measure_of P) V)
    (H_independent_pair : General.independent_pair (measure_of P) U V) :
  'Var_w[U w * V w] = 'E_w[U w ^+ 2] * 'E_w[V w ^+ 2] - 'E_w[U w] ^+ 2 * 'E_w[V w] ^+ 2.
(* [statement:product_variance_general] *)
(* [proof:product_variance_general] *)
Proof.
have U1 := L2_L1 (total_mass P) square_integrable_U; have [mU U2] := square_integrable_U.
have V1 := L2_L1 (total_mass P) square_integrable_V; have [mV V2] := square_integrable_V.
have msqr : measurable_fun setT (fun x : R => x ^+ 2).
  by apply: measurable_fun_sqr; exact: measurable_fun_id.
have [UV2 UV2E] := independent_products_general U2 V2 (independent_comp msqr msqr H_independent_pair).
have sqrE : (fun w => (U w * V w) ^+ 2) = (fun w => U w ^+ 2 * V w ^+ 2).
  by apply/funext => w; exact: exprMn.
have UV : L2 (measure_of P) (fun w => U w * V w).
  by split; [exact: measurable_funM | rewrite sqrE].
have [_ m] := independent_products_general U1 V1 H_independent_pair.
by rewrite (variance_expansion_general UV) m exprMn sqrE UV2E.
Qed.
(* [proof:product_variance_general] *)

(* two independent copies of 1 + R *)
(* [statement:product_variance_general_instance] *)
Example product_variance_general_instance (R : realType)
    (P := pair_law (general_coin R) (general_coin R))
    (U := (fun w => shifted w.1) : P -> R) (V := (fun w => shifted w.2) : P -> R) :
  [/\ L2 (measure_of P) U, L2 (measure_of P) V, General.independent_pair (measure_of P) U V &
      'Var_w[U w * V w] = 'E_w[U w ^+ 2] * 'E_w[V w ^+ 2] - 'E_w[U w] ^+ 2 * 'E_w[V w] ^+ 2].
(* [statement:product_variance_general_instance] *)
(* [proof:product_variance_general_instance] *)
Proof.
have U2 : L2 (measure_of P) U by exact/L2_first/L2_coin.
have V2 : L2 (measure_of P) V by exact/L2_second/L2_coin.
have indep : General.independent_pair (measure_of P) U V by exact: pair_independent.
by split=> //; exact: product_variance_general.
Qed.
(* [proof:product_variance_general_instance] *)

(* U = V = R *)
(* [statement:product_variance_general_without_independent_pair] *)
Example product_variance_general_without_independent_pair (R : realType)
    (P := general_coin R) (U := sign : P -> R) :
  [/\ L2 (measure_of P) U, 'Var_w[U w * U w] = 0
    & 'E_w[U w ^+ 2] * 'E_w[U w ^+ 2] - 'E_w[U w] ^+ 2 * 'E_w[U w] ^+ 2 = 1].
(* [statement:product_variance_general_without_independent_pair] *)
(* [proof:product_variance_general_without_independent_pair] *)
Proof.
have one : mean (cst 1 : P -> R) = 1.
  by rewrite /mean /= emean_coin /= -[1 + 1]/(2%:R) divff // pnatr_eq0.
have sqr : (fun w => U w ^+ 2) = cst 1 by apply/funext => w; exact: sign_sqr.
have m : 'E_w[U w] = 0 by rewrite /mean /= emean_sign.
split; first exact: L2_coin.
  rewrite (_ : (fun w => _) = cst 1); last by apply/funext => w; rewrite -expr2 sign_sqr.
  rewrite /variance one (_ : (fun w => _) = cst 0); last by apply/funext => w; rewrite /= subrr expr0n.
  by rewrite /mean /= emean_coin /= addr0 mul0r.
by rewrite sqr one m expr0n mulr0 subr0 mulr1.
Qed.
(* [proof:product_variance_general_without_independent_pair] *)
