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
