From mathcomp Require Import all_ssreflect ssralg ssrnum.
From rootdk.theory Require Import law finite_law coins.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Step 3. E(UV) = E(U)E(V), and the same for the squares *)

(* [statement:independent_products] *)
Theorem independent_products (R : realFieldType) (P : finite_law R) (U V : P -> R)
    (H_independent_pair : independent_pair U V) :
  'E_w[U w * V w] = 'E_w[U w] * 'E_w[V w] /\
  'E_w[U w ^+ 2 * V w ^+ 2] = 'E_w[U w ^+ 2] * 'E_w[V w ^+ 2].
(* [statement:independent_products] *)
(* [proof:independent_products] *)
Proof.
split; first exact: (mean_independent id id).
exact: (mean_independent (fun u => u ^+ 2) (fun v => v ^+ 2)).
Qed.
(* [proof:independent_products] *)

(* two independent fair signs *)
(* [statement:independent_products_instance] *)
Example independent_products_instance (R : realFieldType)
    (U := coin_query sign ord0 : coins R 1 -> R) (V := coin_key sign ord0 : coins R 1 -> R) :
  independent_pair U V /\ 'E_w[U w * V w] = 0 /\ 'E_w[U w ^+ 2 * V w ^+ 2] = 1.
(* [statement:independent_products_instance] *)
(* [proof:independent_products_instance] *)
Proof.
have indep : independent_pair U V by exact: (mutual_pairs (@coins_independent R 1 sign sign)).
have [-> ->] := independent_products indep; split=> //; split.
  by rewrite (mean_query _ _ id) mean_sign mul0r.
by rewrite (mean_query _ _ (fun x => x ^+ 2)) (mean_key _ _ (fun x => x ^+ 2)) mean_sign_sqr mulr1.
Qed.
(* [proof:independent_products_instance] *)

(* U = V = R: E(UV) = 1, and E(U)E(V) = 0 *)
(* [statement:independent_products_without_independent_pair] *)
Example independent_products_without_independent_pair (R : realFieldType)
    (U := sign : coin R -> R) :
  [/\ 'E_w[U w * U w] = 1, 'E_w[U w] * 'E_w[U w] = 0
    & 'E_w[U w * U w] != 'E_w[U w] * 'E_w[U w]].
(* [statement:independent_products_without_independent_pair] *)
(* [proof:independent_products_without_independent_pair] *)
Proof.
have a : 'E_w[U w * U w] = 1.
  by apply: mean_eq_cst => w; rewrite -expr2 sign_sqr.
have b : 'E_w[U w] * 'E_w[U w] = 0 by rewrite mean_sign mul0r.
by split=> //; rewrite a b oner_eq0.
Qed.
(* [proof:independent_products_without_independent_pair] *)

(* (U, V) uniform on (1,0), (-1,0), (0,1), (0,-1): uncorrelated, and E(U^2 V^2) = 0, not 1/4 *)
(* [statement:independent_products_without_independent_pair_squares] *)
Example independent_products_without_independent_pair_squares (R : realFieldType)
    (P := uniform R (true, true))
    (U := (fun w => if w.1 then sign w.2 else 0) : P -> R)
    (V := (fun w => if w.1 then 0 else sign w.2) : P -> R) :
  [/\ 'E_w[U w * V w] = 'E_w[U w] * 'E_w[V w], 'E_w[U w ^+ 2 * V w ^+ 2] = 0
    , 'E_w[U w ^+ 2] * 'E_w[V w ^+ 2] = 4%:R^-1
    & 'E_w[U w ^+ 2 * V w ^+ 2] != 'E_w[U w ^+ 2] * 'E_w[V w ^+ 2]].
(* [statement:independent_products_without_independent_pair_squares] *)
(* [proof:independent_products_without_independent_pair_squares] *)
Proof.
have a : 'E_w[U w ^+ 2 * V w ^+ 2] = 0.
  by apply: mean_eq_cst => -[[] b]; rewrite /U /V /= expr0n ?mulr0 ?mul0r.
have half (X : P -> R) (c : bool) : (forall w, X w = (w.1 == c)%:R) -> 'E_w[X w] = 2%:R^-1.
  move=> Xc; rewrite mean_uniform (eq_bigr _ (fun w _ => Xc w)) sum_bool2 card_prod card_bool.
  rewrite !big_bool /= natrM invfM mulrA; case: c {Xc} => /=; rewrite ?add0r ?addr0.
    by rewrite -[1 + 1]/(2%:R) divff ?mul1r ?pnatr_eq0.
  by rewrite -[1 + 1]/(2%:R) divff ?mul1r ?pnatr_eq0.
have b : 'E_w[U w ^+ 2] * 'E_w[V w ^+ 2] = 4%:R^-1.
  rewrite (half _ true) => [|[[] b]]; rewrite /U /= ?sign_sqr ?expr0n //.
  rewrite (half _ false) => [|[[] b]]; rewrite /V /= ?sign_sqr ?expr0n //.
  by rewrite -invfM -natrM.
split=> //; last by rewrite a b eq_sym invr_eq0 pnatr_eq0.
rewrite (@mean_eq_cst _ _ 0) => [|[[] b']]; rewrite ?/U ?/V /= ?mulr0 ?mul0r //.
rewrite [X in X * _]mean_uniform sum_bool2 !big_bool /=.
by rewrite !addr0 addrN mul0r mul0r.
Qed.
(* [proof:independent_products_without_independent_pair_squares] *)

(* The same on any probability space *)
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp.analysis Require Import reals ereal measure lebesgue_measure lebesgue_integral.
From rootdk.theory Require Import general_law general_coin.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

(* [statement:independent_products_general] *)
Theorem independent_products_general d (Om : measurableType d) (R : realType)
    (P : probability Om R) (U V : P -> R)
    (integrable_U : L1 (measure_of P) U) (integrable_V : L1 (measure_of P) V)
    (H_independent_pair : General.independent_pair (measure_of P) U V) :
  L1 (measure_of P) (fun w => U w * V w) /\ 'E_w[U w * V w] = 'E_w[U w] * 'E_w[V w].
(* [statement:independent_products_general] *)
(* [proof:independent_products_general] *)
Proof.
have mU := L1_measurable integrable_U; have mV := L1_measurable integrable_V.
split; first exact: (L1_mul_indep (total_mass P) mU mV H_independent_pair).
have e := emean_mul_indep (total_mass P) mU mV H_independent_pair integrable_U integrable_V.
transitivity (fine (emean (measure_of P) U * emean (measure_of P) V)%E); first by rewrite -e.
by rewrite fineM //; exact: L1_fin_num.
Qed.
(* [proof:independent_products_general] *)

(* in [0, oo], with no moment assumed *)
(* [statement:independent_products_squares_general] *)
Theorem independent_products_squares_general d (Om : measurableType d) (R : realType)
    (P : probability Om R) (U V : P -> R)
    (measurable_U : measurable_fun setT (U : Om -> R))
    (measurable_V : measurable_fun setT (V : Om -> R))
    (H_independent_pair : General.independent_pair (measure_of P) U V) :
  (\int[measure_of P]_w (U w ^+ 2 * V w ^+ 2)%:E =
   (\int[measure_of P]_w (U w ^+ 2)%:E) * (\int[measure_of P]_w (V w ^+ 2)%:E))%E.
(* [statement:independent_products_squares_general] *)
(* [proof:independent_products_squares_general] *)
Proof.
have msqr : measurable_fun setT (fun x : R => x ^+ 2).
  by apply: measurable_fun_sqr; exact: measurable_fun_id.
exact: (emean_mul_ge0_indep (total_mass P) measurable_U measurable_V H_independent_pair
  msqr msqr (@sqr_ge0 R) (@sqr_ge0 R)).
Qed.
(* [proof:independent_products_squares_general] *)

(* two independent copies of 1 + R *)
(* [statement:independent_products_general_instance] *)
Example independent_products_general_instance (R : realType)
    (P := pair_law (general_coin R) (general_coin R))
    (U := (fun w => shifted w.1) : P -> R) (V := (fun w => shifted w.2) : P -> R) :
  [/\ L1 (measure_of P) U, L1 (measure_of P) V, General.independent_pair (measure_of P) U V,
      L1 (measure_of P) (fun w => U w * V w) & 'E_w[U w * V w] = 'E_w[U w] * 'E_w[V w]].
(* [statement:independent_products_general_instance] *)
(* [proof:independent_products_general_instance] *)
Proof.
have U1 : L1 (measure_of P) U by exact/L1_first/L1_coin.
have V1 : L1 (measure_of P) V by exact/L1_second/L1_coin.
have indep : General.independent_pair (measure_of P) U V by exact: pair_independent.
by have [] := independent_products_general U1 V1 indep.
Qed.
(* [proof:independent_products_general_instance] *)

(* U = V = R *)
(* [statement:independent_products_general_without_independent_pair] *)
Example independent_products_general_without_independent_pair (R : realType)
    (P := general_coin R) (U := sign : P -> R) :
  [/\ L1 (measure_of P) U, 'E_w[U w * U w] = 1 & 'E_w[U w] * 'E_w[U w] = 0].
(* [statement:independent_products_general_without_independent_pair] *)
(* [proof:independent_products_general_without_independent_pair] *)
Proof.
split; first exact: L1_coin; rewrite /mean /=; first by rewrite emean_sign_sqr.
by rewrite emean_sign mul0r.
Qed.
(* [proof:independent_products_general_without_independent_pair] *)

(* [statement:independent_products_squares_general_instance] *)
Example independent_products_squares_general_instance (R : realType)
    (P := pair_law (general_coin R) (general_coin R))
    (U := (fun w => shifted w.1) : P -> R) (V := (fun w => shifted w.2) : P -> R) :
  [/\ L1 (measure_of P) U, L1 (measure_of P) V, General.independent_pair (measure_of P) U V
    & (\int[measure_of P]_w (U w ^+ 2 * V w ^+ 2)%:E = 4%:R%:E)%E].
(* [statement:independent_products_squares_general_instance] *)
(* [proof:independent_products_squares_general_instance] *)
Proof.
have indep : General.independent_pair (measure_of P) U V by exact: pair_independent.
have U1 : L1 (measure_of P) U by exact/L1_first/L1_coin.
have V1 : L1 (measure_of P) V by exact/L1_second/L1_coin.
split=> //.
rewrite (independent_products_squares_general (L1_measurable U1) (L1_measurable V1) indep).
rewrite [X in (X * _)%E](_ : _ = emean (measure_of P) (fun w => shifted w.1 ^+ 2)) //.
rewrite [X in (_ * X)%E](_ : _ = emean (measure_of P) (fun w => shifted w.2 ^+ 2)) //.
rewrite (emean_first _ (f := fun b => shifted b ^+ 2)); last exact: L1_coin.
rewrite (emean_second _ (g := fun b => shifted b ^+ 2)); last exact: L1_coin.
by rewrite !emean_shifted_sqr -EFinM -natrM.
Qed.
(* [proof:independent_products_squares_general_instance] *)

(* U = V = 1 + R: E(U^4) = 8, and E^2(U^2) = 4 *)
(* [statement:independent_products_squares_general_without_independent_pair] *)
Example independent_products_squares_general_without_independent_pair (R : realType)
    (P := general_coin R) (U := shifted : P -> R) :
  [/\ L1 (measure_of P) U, (\int[measure_of P]_w (U w ^+ 2 * U w ^+ 2)%:E = 8%:R%:E)%E
    & ((\int[measure_of P]_w (U w ^+ 2)%:E) * (\int[measure_of P]_w (U w ^+ 2)%:E) = 4%:R%:E)%E].
(* [statement:independent_products_squares_general_without_independent_pair] *)
(* [proof:independent_products_squares_general_without_independent_pair] *)
Proof.
have two : 2%:R != 0 :> R by rewrite pnatr_eq0.
split; first exact: L1_coin; last first.
  rewrite [X in (X * X)%E](_ : _ = emean (measure_of P) (fun w => U w ^+ 2)) //.
  by rewrite emean_shifted_sqr -EFinM -natrM.
rewrite [LHS](_ : _ = emean (measure_of P) (fun w => U w ^+ 2 * U w ^+ 2)) // emean_coin.
rewrite /U /shifted /sign subrr expr0n mul0r addr0 -[1 + 1]/(2%:R).
by rewrite expr2 -!mulrA divff // mulr1 -!natrM.
Qed.
(* [proof:independent_products_squares_general_without_independent_pair] *)
