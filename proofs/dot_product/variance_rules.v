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

(* The same on any probability space *)
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp.analysis Require Import reals ereal measure lebesgue_measure lebesgue_integral.
From rootdk.theory Require Import general_law general_coin.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

(* [statement:variance_rules_general] *)
Theorem variance_rules_general d (Om : measurableType d) (R : realType)
    (P : probability Om R) (I : finType) (X : I -> P -> R)
    (square_integrable_X : forall i, L2 (measure_of P) (X i))
    (H_uncorrelated_terms : uncorrelated_terms X) :
  'Var_w[\sum_i X i w] = \sum_i 'Var_w[X i w].
(* [statement:variance_rules_general] *)
(* [proof:variance_rules_general] *)
Proof.
have X1 i := L2_L1 (total_mass P) (square_integrable_X i).
pose Y i w := X i w - mean (X i).
have Y2 i : L2 (measure_of P) (Y i) by exact: L2_shift (total_mass P) _.
transitivity ('E_w[\sum_p Y p.1 w * Y p.2 w]).
  rewrite /variance (mean_fsum X1); congr mean; apply/funext => w.
  by rewrite -sumrB expr2 big_distrlr pair_bigA.
rewrite (mean_fsum (fun p => L2_mul (Y2 p.1) (Y2 p.2))).
rewrite -(pair_bigA _ (fun i j => 'E_w[Y i w * Y j w])) /=; apply: eq_bigr => i _.
rewrite (bigD1 i) //= big1 ?addr0 => [|j ji].
  by rewrite /variance; congr mean; apply/funext => w; rewrite expr2.
by apply: (H_uncorrelated_terms i j); rewrite eq_sym.
Qed.
(* [proof:variance_rules_general] *)

(* [statement:variance_rules_scale_general] *)
Theorem variance_rules_scale_general d (Om : measurableType d) (R : realType)
    (P : probability Om R) (c : R) (X : P -> R) (square_integrable_X : L2 (measure_of P) X) :
  'Var_w[c * X w] = c ^+ 2 * 'Var_w[X w].
(* [statement:variance_rules_scale_general] *)
(* [proof:variance_rules_scale_general] *)
Proof.
have X1 := L2_L1 (total_mass P) square_integrable_X.
have [_ X2] := L2_shift (fine (emean (measure_of P) X)) (total_mass P) square_integrable_X.
transitivity (fine (evar (measure_of P) (fun w => c * X w))); first by [].
by rewrite (Var_scale c X1 X2) fineM // L1_fin_num.
Qed.
(* [proof:variance_rules_scale_general] *)

(* two independent fair signs *)
(* [statement:variance_rules_general_instance] *)
Example variance_rules_general_instance (R : realType)
    (P := pair_law (general_coin R) (general_coin R))
    (X := (fun b w => if b then sign w.1 else sign w.2) : bool -> P -> R) :
  [/\ forall b, L2 (measure_of P) (X b), uncorrelated_terms X
    & 'Var_w[\sum_b X b w] = \sum_b 'Var_w[X b w]].
(* [statement:variance_rules_general_instance] *)
(* [proof:variance_rules_general_instance] *)
Proof.
have s1 : L1 (measure_of (general_coin R)) sign by exact: L1_coin.
have X2 b : L2 (measure_of P) (X b).
  by case: b; [exact/L2_first/L2_coin | exact/L2_second/L2_coin].
have X0 b : mean (X b) = 0.
  case: b; rewrite /mean /=; first by rewrite (emean_first (general_coin R) s1) emean_sign.
  by rewrite (emean_second (general_coin R) s1) emean_sign.
have cross : 'E_w[X true w * X false w] = 0.
  by rewrite /mean /= (emean_pair s1 s1) emean_sign mul0e.
have unc : uncorrelated_terms X.
  case=> -[] // _; rewrite covariance_centred // -[RHS]cross.
  by congr mean; apply/funext => w; exact: mulrC.
by split=> //; exact: variance_rules_general.
Qed.
(* [proof:variance_rules_general_instance] *)

(* X_2 = X_1 = R: 4 against 2 *)
(* [statement:variance_rules_general_without_uncorrelated_terms] *)
Example variance_rules_general_without_uncorrelated_terms (R : realType)
    (P := general_coin R) (X := (fun _ w => sign w) : bool -> P -> R) :
  [/\ forall b, L2 (measure_of P) (X b), 'Var_w[\sum_b X b w] = 4%:R
    & \sum_b 'Var_w[X b w] = 2%:R].
(* [statement:variance_rules_general_without_uncorrelated_terms] *)
(* [proof:variance_rules_general_without_uncorrelated_terms] *)
Proof.
have X2 b : L2 (measure_of P) (X b) by exact: L2_coin.
have v b : 'Var_w[X b w] = 1.
  rewrite variance_centred; last by rewrite /mean /= emean_sign.
  by rewrite /mean /= (_ : (fun w => _) = fun w => sign w * sign w) ?emean_sign_sqr.
split=> //; last by rewrite big_bool !v.
rewrite (_ : (fun w => _) = fun w => 2%:R * X true w).
  by rewrite (variance_rules_scale_general _ (X2 true)) v mulr1 -natrX.
by apply/funext => w; rewrite big_bool mulr_natl mulr2n.
Qed.
(* [proof:variance_rules_general_without_uncorrelated_terms] *)
