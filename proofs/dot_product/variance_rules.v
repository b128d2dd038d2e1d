From mathcomp Require Import all_ssreflect ssralg ssrnum.
From rootdk.theory Require Import law finite_law coins.
From rootdk.dot_product Require Import variance_expansion.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Step 2. The variance of a sum of uncorrelated terms, and of a multiple *)

(* [statement:variance_rules] *)
Theorem variance_rules (R : realFieldType) (P : finite_law R) (I : finType) (X : I -> P -> R)
    (H_uncorrelated_terms : uncorrelated_terms X) :
  'Var_w[\sum_i X i w] = \sum_i 'Var_w[X i w].
(* [statement:variance_rules] *)
(* [proof:variance_rules] *)
Proof.
rewrite /variance mean_sum.
transitivity ('E_w[\sum_i \sum_j (X i w - mean (X i)) * (X j w - mean (X j))]).
  by apply: eq_mean => w; rewrite -sumrB expr2 big_distrlr.
rewrite mean_sum; apply: eq_bigr => i _.
rewrite mean_sum (bigD1 i) //= big1 ?addr0 => [|j ji].
  by apply: eq_mean => w.
by rewrite -[RHS](H_uncorrelated_terms i j) // eq_sym.
Qed.
(* [proof:variance_rules] *)

(* [statement:variance_rules_scale] *)
Theorem variance_rules_scale (R : realFieldType) (P : finite_law R) (c : R) (X : P -> R) :
  'Var_w[c * X w] = c ^+ 2 * 'Var_w[X w].
(* [statement:variance_rules_scale] *)
(* [proof:variance_rules_scale] *)
Proof.
rewrite /variance meanZ -[RHS]meanZ.
by apply: eq_mean => w; rewrite -mulrBr exprMn.
Qed.
(* [proof:variance_rules_scale] *)

(* Cov(X, Y) = E(XY) - E(X)E(Y), which is the expansion of step 1 when Y = X *)
Lemma covarianceE (R : realFieldType) (P : finite_law R) (X Y : P -> R) :
  'Cov_w[X w, Y w] = 'E_w[X w * Y w] - 'E_w[X w] * 'E_w[Y w].
Proof.
rewrite /covariance; set m := mean X; set n := mean Y.
transitivity ('E_w[X w * Y w - (m * Y w + n * X w) + m * n]).
  apply: eq_mean => w.
  rewrite mulrBl !mulrBr [X w * n]mulrC opprB opprD !addrA [LHS]addrAC; congr (_ + _).
  exact: addrAC.
by rewrite meanD meanB meanD !meanZ mean_cst -/m -/n [n * m]mulrC opprD addrA addrNK.
Qed.

Lemma covariance_diag (R : realFieldType) (P : finite_law R) (X : P -> R) :
  'Cov_w[X w, X w] = 'Var_w[X w].
Proof. exact: eq_mean. Qed.

(* n independent fair signs *)
(* [statement:variance_rules_instance] *)
Example variance_rules_instance (R : realFieldType) n
    (X := fun (i : 'I_n) (w : copies (coin R) [finType of 'I_n]) => sign (w i) : R) :
  uncorrelated_terms X /\ 'Var_w[\sum_i X i w] = n%:R.
(* [statement:variance_rules_instance] *)
(* [proof:variance_rules_instance] *)
Proof.
have X0 i : 'E_w[X i w] = 0.
  by rewrite (mean_copies i (sign : coin R -> R)) mean_sign.
have unc : uncorrelated_terms X.
  move=> i j ij; rewrite covarianceE.
  have indep := copies_independent (fun (_ : 'I_n) => (sign : coin R -> R)).
  rewrite (mean_independent id id (mutual_pair indep ij)) -/(X i) -/(X j).
  exact: subrr.
split=> //; rewrite variance_rules //.
rewrite (eq_bigr (fun=> 1)) ?sumr_const ?card_ord // => i _.
rewrite variance_expansion X0 expr0n subr0.
by apply: mean_eq_cst => w; exact: sign_sqr.
Qed.
(* [proof:variance_rules_instance] *)

(* 3R for a fair sign R *)
(* [statement:variance_rules_scale_instance] *)
Example variance_rules_scale_instance (R : realFieldType) :
  variance (fun w : coin R => 3%:R * sign w) = 9%:R.
(* [statement:variance_rules_scale_instance] *)
(* [proof:variance_rules_scale_instance] *)
Proof.
have [v _ _] := variance_expansion_instance R.
by rewrite variance_rules_scale v mulr1 -natrX.
Qed.
(* [proof:variance_rules_scale_instance] *)

(* X_2 = X_1 = R: the sum 2R has variance 4, not 2 *)
(* [statement:variance_rules_without_uncorrelated_terms] *)
Example variance_rules_without_uncorrelated_terms (R : realFieldType)
    (X := fun (_ : bool) (w : coin R) => sign w : R) :
  [/\ 'Var_w[\sum_i X i w] = 4%:R, \sum_i 'Var_w[X i w] = 2%:R
    & 'Var_w[\sum_i X i w] != \sum_i 'Var_w[X i w]].
(* [statement:variance_rules_without_uncorrelated_terms] *)
(* [proof:variance_rules_without_uncorrelated_terms] *)
Proof.
have [v _ _] := variance_expansion_instance R.
have e : 'Var_w[\sum_i X i w] = 4%:R.
  rewrite -[4%:R]mulr1 -[X in _ * X]v (natrX R 2 2) -variance_rules_scale.
  by apply: eq_variance => w; rewrite big_bool mulr_natl mulr2n.
have f : \sum_i 'Var_w[X i w] = 2%:R by rewrite big_bool v.
by split=> //; rewrite e f eqr_nat.
Qed.
(* [proof:variance_rules_without_uncorrelated_terms] *)
