From mathcomp Require Import all_ssreflect ssralg ssrnum.
From rootdk.theory Require Import law finite_law coins.
From rootdk.dot_product Require Import independent_products.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Step 7. E(q . k) = 0; the means of one of the two vectors are enough *)

(* [statement:dot_product_mean] *)
Theorem dot_product_mean (R : realFieldType) (P : finite_law R) (d : nat) (q k : 'I_d -> P -> R)
    (H_independent_pairs : independent_pairs q k) (H_zero_mean : zero_mean q) :
  'E_w[dot q k w] = 0.
(* [statement:dot_product_mean] *)
(* [proof:dot_product_mean] *)
Proof.
rewrite mean_sum big1 // => i _.
by have [-> _] := independent_products (H_independent_pairs i); rewrite H_zero_mean mul0r.
Qed.
(* [proof:dot_product_mean] *)

(* 2d independent coins: fair signs for q, 1 + R for k *)
(* [statement:dot_product_mean_instance] *)
Example dot_product_mean_instance (R : realFieldType) (d : nat)
    (q := @coin_query R d sign) (k := @coin_key R d shifted) :
  [/\ independent_pairs q k, zero_mean q & 'E_w[dot q k w] = 0].
(* [statement:dot_product_mean_instance] *)
(* [proof:dot_product_mean_instance] *)
Proof.
have indep : independent_pairs q k by apply: mutual_pairs; exact: coins_independent.
have q0 : zero_mean q by move=> i; rewrite (mean_query _ _ id) mean_sign.
by split=> //; exact: dot_product_mean.
Qed.
(* [proof:dot_product_mean_instance] *)

(* k = q: the mean is d *)
(* [statement:dot_product_mean_without_independent_pairs] *)
Example dot_product_mean_without_independent_pairs (R : realFieldType) (d : nat)
    (q := @coin_query R d.+1 sign) :
  [/\ zero_mean q, 'E_w[dot q q w] = d.+1%:R & 'E_w[dot q q w] != 0].
(* [statement:dot_product_mean_without_independent_pairs] *)
(* [proof:dot_product_mean_without_independent_pairs] *)
Proof.
have e : 'E_w[dot q q w] = d.+1%:R.
  apply: mean_eq_cst => w; rewrite /dot (eq_bigr (fun=> 1)) ?sumr_const ?card_ord // => i _.
  by rewrite -expr2 sign_sqr.
split=> [i||]; rewrite ?e ?pnatr_eq0 //.
by rewrite (mean_query _ _ id) mean_sign.
Qed.
(* [proof:dot_product_mean_without_independent_pairs] *)

(* independent copies of 1 + R: the mean is d *)
(* [statement:dot_product_mean_without_zero_mean] *)
Example dot_product_mean_without_zero_mean (R : realFieldType) (d : nat)
    (q := @coin_query R d.+1 shifted) (k := @coin_key R d.+1 shifted) :
  [/\ independent_pairs q k, 'E_w[dot q k w] = d.+1%:R & 'E_w[dot q k w] != 0].
(* [statement:dot_product_mean_without_zero_mean] *)
(* [proof:dot_product_mean_without_zero_mean] *)
Proof.
have indep : independent_pairs q k by apply: mutual_pairs; exact: coins_independent.
suff e : 'E_w[dot q k w] = d.+1%:R by rewrite e pnatr_eq0.
rewrite mean_sum (eq_bigr (fun=> 1)) ?sumr_const ?card_ord // => i _.
have [-> _] := independent_products (indep i).
by rewrite (mean_query _ _ id) (mean_key _ _ id) mean_shifted mulr1.
Qed.
(* [proof:dot_product_mean_without_zero_mean] *)

(* The same on any probability space *)
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp.analysis Require Import reals ereal measure lebesgue_measure lebesgue_integral.
From rootdk.theory Require Import general_law general_coin.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

(* [statement:dot_product_mean_general] *)
Theorem dot_product_mean_general d (Om : measurableType d) (R : realType)
    (P : probability Om R) (n : nat) (q k : 'I_n -> P -> R)
    (integrable_q : forall i, L1 (measure_of P) (q i))
    (integrable_k : forall i, L1 (measure_of P) (k i))
    (H_independent_pairs : General.independent_pairs (measure_of P) q k)
    (H_zero_mean : zero_mean q) :
  'E_w[dot q k w] = 0.
(* [statement:dot_product_mean_general] *)
(* [proof:dot_product_mean_general] *)
Proof.
have term i := independent_products_general (integrable_q i) (integrable_k i)
  (H_independent_pairs i).
rewrite (mean_fsum (fun i => (term i).1)) big1 // => i _.
by rewrite (term i).2 H_zero_mean mul0r.
Qed.
(* [proof:dot_product_mean_general] *)

(* every U_i one fair sign, every V_i one independent copy of 1 + R *)
(* [statement:dot_product_mean_general_instance] *)
Example dot_product_mean_general_instance (R : realType) (n : nat)
    (P := pair_law (general_coin R) (general_coin R))
    (q := (fun _ w => sign w.1) : 'I_n -> P -> R) (k := (fun _ w => shifted w.2) : 'I_n -> P -> R) :
  [/\ (forall i, L1 (measure_of P) (q i)) /\ (forall i, L1 (measure_of P) (k i)),
      General.independent_pairs (measure_of P) q k, zero_mean q & 'E_w[dot q k w] = 0].
(* [statement:dot_product_mean_general_instance] *)
(* [proof:dot_product_mean_general_instance] *)
Proof.
have q1 i : L1 (measure_of P) (q i) by exact/L1_first/L1_coin.
have k1 i : L1 (measure_of P) (k i) by exact/L1_second/L1_coin.
have indep : General.independent_pairs (measure_of P) q k by move=> i; exact: pair_independent.
have s1 : L1 (measure_of (general_coin R)) sign by exact: L1_coin.
have zero : zero_mean q by move=> i; rewrite /mean /= (emean_first (general_coin R) s1) emean_sign.
by split=> //; exact: dot_product_mean_general.
Qed.
(* [proof:dot_product_mean_general_instance] *)

(* d = 1, k = q *)
(* [statement:dot_product_mean_general_without_independent_pairs] *)
Example dot_product_mean_general_without_independent_pairs (R : realType)
    (P := general_coin R) (q := (fun _ w => sign w) : 'I_1 -> P -> R) :
  [/\ forall i, L1 (measure_of P) (q i), zero_mean q & 'E_w[dot q q w] = 1].
(* [statement:dot_product_mean_general_without_independent_pairs] *)
(* [proof:dot_product_mean_general_without_independent_pairs] *)
Proof.
split=> [i|i|]; first exact: L1_coin.
  by rewrite /mean /= emean_sign.
rewrite /mean /= (_ : dot q q = fun w => sign w * sign w) ?emean_sign_sqr //.
by apply/funext => w; rewrite /dot big_ord_recl big_ord0 addr0.
Qed.
(* [proof:dot_product_mean_general_without_independent_pairs] *)

(* d = 1, two independent copies of 1 + R *)
(* [statement:dot_product_mean_general_without_zero_mean] *)
Example dot_product_mean_general_without_zero_mean (R : realType)
    (P := pair_law (general_coin R) (general_coin R))
    (q := (fun _ w => shifted w.1) : 'I_1 -> P -> R) (k := (fun _ w => shifted w.2) : 'I_1 -> P -> R) :
  [/\ (forall i, L1 (measure_of P) (q i)) /\ (forall i, L1 (measure_of P) (k i)),
      General.independent_pairs (measure_of P) q k & 'E_w[dot q k w] = 1].
(* [statement:dot_product_mean_general_without_zero_mean] *)
(* [proof:dot_product_mean_general_without_zero_mean] *)
Proof.
have m : emean (measure_of (general_coin R)) shifted = 1%E.
  by rewrite emean_coin /shifted /sign subrr addr0 -[1 + 1]/(2%:R) divff // pnatr_eq0.
split; [by split=> i; [exact/L1_first/L1_coin | exact/L1_second/L1_coin]| |].
  by move=> i; exact: pair_independent.
rewrite /mean /= (_ : dot q k = fun w => shifted w.1 * shifted w.2).
  have s1 : L1 (measure_of (general_coin R)) shifted by exact: L1_coin.
  by rewrite (emean_pair s1 s1) m mule1.
by apply/funext => w; rewrite /dot big_ord_recl big_ord0 addr0.
Qed.
(* [proof:dot_product_mean_general_without_zero_mean] *)
