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
