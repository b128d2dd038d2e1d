From mathcomp Require Import all_ssreflect ssralg ssrnum ssrint.
From rootdk.theory Require Import law finite_law coins.
From rootdk.dot_product Require Import variance_rules independent_products.
From rootdk.dot_product Require Import centred_product_variance unit_second_moment.
From rootdk.dot_product Require Import dot_product_mean.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Step 8. Var(q . k) = sum_i Var(U_i V_i) = d *)

(* [statement:dot_product_variance_terms] *)
Theorem dot_product_variance_terms (R : realFieldType) (P : finite_law R) (d : nat)
    (q k : 'I_d -> P -> R)
    (H_mutually_independent : mutually_independent (components q k)) :
  'Var_w[dot q k w] = \sum_i 'Var_w[q i w * k i w].
(* [statement:dot_product_variance_terms] *)
(* [proof:dot_product_variance_terms] *)
Proof.
apply: variance_rules => i j ij; rewrite covarianceE.
have [-> _] := independent_products (mutual_products H_mutually_independent ij).
exact: subrr.
Qed.
(* [proof:dot_product_variance_terms] *)

(* [statement:dot_product_variance] *)
Theorem dot_product_variance (R : realFieldType) (P : finite_law R) (d : nat)
    (q k : 'I_d -> P -> R)
    (H_mutually_independent : mutually_independent (components q k))
    (H_zero_mean : zero_mean (components q k))
    (H_unit_variance : unit_variance (components q k)) :
  'Var_w[dot q k w] = d%:R.
(* [statement:dot_product_variance] *)
(* [proof:dot_product_variance] *)
Proof.
have second p : 'E_w[components q k p w ^+ 2] = 1.
  by apply: unit_second_moment => -[]; [exact: H_zero_mean | exact: H_unit_variance].
rewrite dot_product_variance_terms // (eq_bigr (fun=> 1)) ?sumr_const ?card_ord // => i _.
rewrite centred_product_variance; last by move=> -[]; exact: (H_zero_mean (inl i)).
  by rewrite (second (inl i)) (second (inr i)) mulr1.
exact: mutual_pairs.
Qed.
(* [proof:dot_product_variance] *)

(* the hypotheses of the general theorem below are weaker: for finite laws these imply them *)
Lemma weaker_than_mutual (R : realFieldType) (P : finite_law R) (d : nat) (q k : 'I_d -> P -> R) :
  mutually_independent (components q k) -> unit_variance (components q k) ->
  independent_vectors q k /\ identity_covariance q k.
Proof.
move=> indep one; split; first exact: mutual_vectors.
split=> [i j|i]; last exact: (one (inr i)).
have [<-|ij] := eqVneq i j; first by rewrite -[RHS](one (inl i)) covariance_diag.
have [uv _] := independent_products (mutual_pair (i := inl i) (j := inl j) indep ij).
by rewrite covarianceE uv subrr.
Qed.

(* 2d independent fair signs *)
(* [statement:dot_product_variance_instance] *)
Example dot_product_variance_instance (R : realFieldType) (d : nat)
    (q := @coin_query R d sign) (k := @coin_key R d sign) :
  [/\ mutually_independent (components q k), zero_mean (components q k),
      unit_variance (components q k) & 'Var_w[dot q k w] = d%:R].
(* [statement:dot_product_variance_instance] *)
(* [proof:dot_product_variance_instance] *)
Proof.
have indep : mutually_independent (components q k) by exact: coins_independent.
have zero : zero_mean (components q k).
  by case=> i; rewrite /= ?(mean_query _ _ id) ?(mean_key _ _ id) mean_sign.
have one : unit_variance (components q k).
  by case=> i; rewrite -(variance_sign R); [exact: variance_query | exact: variance_key].
by split=> //; exact: dot_product_variance.
Qed.
(* [proof:dot_product_variance_instance] *)

(* [statement:dot_product_variance_terms_instance] *)
Example dot_product_variance_terms_instance (R : realFieldType) (d : nat)
    (q := @coin_query R d shifted) (k := @coin_key R d shifted) :
  mutually_independent (components q k) /\ 'Var_w[dot q k w] = \sum_i 'Var_w[q i w * k i w].
(* [statement:dot_product_variance_terms_instance] *)
(* [proof:dot_product_variance_terms_instance] *)
Proof.
have indep : mutually_independent (components q k) by exact: coins_independent.
by split=> //; exact: dot_product_variance_terms.
Qed.
(* [proof:dot_product_variance_terms_instance] *)

(* U_1, U_2, V_1 independent fair signs and V_2 = U_1 U_2 V_1: any three of the four are
   independent, and q . k = 2 U_1 V_1 has variance 4, not 2 *)
Definition three_signs R : finite_law R := uniform R (true, true, true).

Definition three_query {R : realFieldType} (i : 'I_2) (w : three_signs R) : R :=
  if i == ord0 then sign w.1.1 else sign w.1.2.

Definition three_key {R : realFieldType} (i : 'I_2) (w : three_signs R) : R :=
  if i == ord0 then sign w.2 else sign w.1.1 * sign w.1.2 * sign w.2.

Lemma sign_int (R : ringType) b : sign b = (sign b : int)%:~R :> R.
Proof. by case: b; rewrite /sign ?rmorphN. Qed.

Lemma three_signs_zero_mean (R : realFieldType) (X : three_signs R -> R)
    (g : bool * bool * bool -> int) :
  (forall w, X w = (g w)%:~R) -> \sum_a \sum_b \sum_c g (a, b, c) = 0 -> mean X = 0.
Proof. by move=> Xg g0; rewrite (mean_uniform_int _ Xg) sum_bool3 g0 mul0r. Qed.

(* both products U_i V_i are U_1 V_1, which is a fair sign *)
Lemma three_product (R : realFieldType) i (w : three_signs R) :
  three_query i w * three_key i w = sign w.1.1 * sign w.2 :> R.
Proof.
rewrite /three_query /three_key; case: (i == ord0) => //.
by rewrite -!mulrA [LHS]mulrCA [X in _ * X]mulrA -expr2 sign_sqr mul1r.
Qed.

Lemma three_variance (R : realFieldType) :
  variance (fun w : three_signs R => sign w.1.1 * sign w.2 : R) = 1.
Proof.
have z : mean (fun w : three_signs R => sign w.1.1 * sign w.2 : R) = 0.
  apply: (three_signs_zero_mean (g := fun w => sign w.1.1 * sign w.2)) => [w|].
    by rewrite rmorphM /= -!sign_int.
  by rewrite !big_bool.
rewrite -covariance_diag covarianceE z mulr0 subr0; apply: mean_eq_cst => w.
by rewrite -expr2 exprMn !sign_sqr mulr1.
Qed.

(* [statement:dot_product_variance_without_mutually_independent] *)
Example dot_product_variance_without_mutually_independent (R : realFieldType)
    (q := @three_query R) (k := @three_key R) :
  [/\ zero_mean (components q k), unit_variance (components q k),
      'Var_w[dot q k w] = 4%:R & 'Var_w[dot q k w] != 2%:R].
(* [statement:dot_product_variance_without_mutually_independent] *)
(* [proof:dot_product_variance_without_mutually_independent] *)
Proof.
have m p : 'E_w[components q k p w] = 0.
  case: p => i; rewrite /= /q /k /three_query /three_key; case: (i == ord0).
  - by apply: (three_signs_zero_mean (g := fun w => sign w.1.1)) => [w|];
      [exact: sign_int | rewrite !big_bool].
  - by apply: (three_signs_zero_mean (g := fun w => sign w.1.2)) => [w|];
      [exact: sign_int | rewrite !big_bool].
  - by apply: (three_signs_zero_mean (g := fun w => sign w.2)) => [w|];
      [exact: sign_int | rewrite !big_bool].
  - apply: (three_signs_zero_mean (g := fun w => sign w.1.1 * sign w.1.2 * sign w.2)) => [w|].
      by rewrite !rmorphM /= -!sign_int.
    by rewrite !big_bool.
have s p w : components q k p w ^+ 2 = 1.
  by case: p => i; rewrite /= /q /k /three_query /three_key; case: (i == ord0);
    rewrite ?exprMn !sign_sqr ?mulr1.
have v : 'Var_w[dot q k w] = 4%:R.
  pose twice (w : three_signs R) : R := 2%:R * (sign w.1.1 * sign w.2).
  rewrite (eq_variance (Y := twice)) => [|w].
    by rewrite variance_rules_scale three_variance mulr1 -natrX.
  by rewrite /dot /twice !big_ord_recl big_ord0 addr0 !three_product mulr_natl mulr2n.
split=> //; last by rewrite v eqr_nat.
move=> p; rewrite -covariance_diag covarianceE m mulr0 subr0.
by apply: mean_eq_cst => w; rewrite -expr2 s.
Qed.
(* [proof:dot_product_variance_without_mutually_independent] *)

(* the same four signs: 4 against 1 + 1 *)
(* [statement:dot_product_variance_terms_without_mutually_independent] *)
Example dot_product_variance_terms_without_mutually_independent (R : realFieldType)
    (q := @three_query R) (k := @three_key R) :
  [/\ 'Var_w[dot q k w] = 4%:R, \sum_i 'Var_w[q i w * k i w] = 2%:R
    & 'Var_w[dot q k w] != \sum_i 'Var_w[q i w * k i w]].
(* [statement:dot_product_variance_terms_without_mutually_independent] *)
(* [proof:dot_product_variance_terms_without_mutually_independent] *)
Proof.
have [_ _ v _] := dot_product_variance_without_mutually_independent R.
have terms : \sum_i 'Var_w[q i w * k i w] = 2%:R.
  rewrite (eq_bigr (fun=> 1)) ?sumr_const ?card_ord // => i _.
  by rewrite (eq_variance (three_product i)) three_variance.
by split=> //; rewrite v terms eqr_nat.
Qed.
(* [proof:dot_product_variance_terms_without_mutually_independent] *)

(* independent fair signs for q, independent copies of 1 + R for k: 2d *)
(* [statement:dot_product_variance_without_zero_mean] *)
Example dot_product_variance_without_zero_mean (R : realFieldType) (d : nat)
    (q := @coin_query R d.+1 sign) (k := @coin_key R d.+1 shifted) :
  [/\ mutually_independent (components q k), unit_variance (components q k),
      'Var_w[dot q k w] = 2%:R * d.+1%:R & 'Var_w[dot q k w] != d.+1%:R].
(* [statement:dot_product_variance_without_zero_mean] *)
(* [proof:dot_product_variance_without_zero_mean] *)
Proof.
have indep : mutually_independent (components q k) by exact: coins_independent.
have v : 'Var_w[dot q k w] = 2%:R * d.+1%:R.
  rewrite dot_product_variance_terms // (eq_bigr (fun=> 2%:R)) => [|i _].
    by rewrite sumr_const card_ord mulr_natr.
  rewrite centred_product_variance; first last.
  - by case; rewrite /= (mean_query _ _ id) mean_sign.
  - exact: mutual_pairs.
  rewrite (mean_query _ _ (fun x => x ^+ 2)) (mean_key _ _ (fun x => x ^+ 2)).
  by rewrite mean_sign_sqr mean_shifted_sqr mul1r.
split=> //; last by rewrite v -natrM eqr_nat mul2n -addnn -{3}[d.+1]addn0 eqn_add2l.
case=> i; first by rewrite -(variance_sign R); exact: variance_query.
by rewrite -(variance_shifted R); exact: variance_key.
Qed.
(* [proof:dot_product_variance_without_zero_mean] *)

(* 2R in place of R for the keys: 4d *)
(* [statement:dot_product_variance_without_unit_variance] *)
Example dot_product_variance_without_unit_variance (R : realFieldType) (d : nat)
    (q := @coin_query R d.+1 sign) (k := @coin_key R d.+1 (fun b => 2%:R * sign b)) :
  [/\ mutually_independent (components q k), zero_mean (components q k),
      'Var_w[dot q k w] = 4%:R * d.+1%:R & 'Var_w[dot q k w] != d.+1%:R].
(* [statement:dot_product_variance_without_unit_variance] *)
(* [proof:dot_product_variance_without_unit_variance] *)
Proof.
have indep : mutually_independent (components q k) by exact: coins_independent.
have [k0 k4 _] := unit_second_moment_without_unit_variance R.
have zero : zero_mean (components q k).
  case=> i; rewrite /= ?(mean_query _ _ id) ?(mean_key _ _ id) ?mean_sign //.
  exact: (k0 tt).
have v : 'Var_w[dot q k w] = 4%:R * d.+1%:R.
  rewrite dot_product_variance_terms // (eq_bigr (fun=> 4%:R)) => [|i _].
    by rewrite sumr_const card_ord mulr_natr.
  rewrite centred_product_variance; first last.
  - by case; exact: (zero (inl i)).
  - exact: mutual_pairs.
  rewrite (mean_query _ _ (fun x => x ^+ 2)) (mean_key _ _ (fun x => x ^+ 2)).
  by rewrite mean_sign_sqr k4 mul1r.
split=> //; rewrite v -natrM eqr_nat -[4%N]/(3 + 1)%N mulnDl mul1n.
by rewrite -{3}[d.+1]add0n eqn_add2r.
Qed.
(* [proof:dot_product_variance_without_unit_variance] *)

(* The same on any probability space, for independent vectors q = q(X) and k = k(Y) *)
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp.analysis Require Import reals ereal measure lebesgue_measure lebesgue_integral.
From rootdk.theory Require Import general_law general_coin.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

(* c q . k has mean 0 and variance c^2 d *)
Lemma dot_product_moments_general d0 d1 d2 (Om : measurableType d0)
    (T1 : measurableType d1) (T2 : measurableType d2) (R : realType) (P : probability Om R)
    (X : Om -> T1) (Y : Om -> T2) (d : nat) (f : 'I_d -> T1 -> R) (g : 'I_d -> T2 -> R)
    (q := (fun i w => f i (X w)) : 'I_d -> P -> R) (k := (fun i w => g i (Y w)) : 'I_d -> P -> R)
    (c : R) :
  measurable_fun setT X -> measurable_fun setT Y ->
  (forall i, measurable_fun setT (f i)) -> (forall i, measurable_fun setT (g i)) ->
  (forall i, L2 (measure_of P) (q i)) -> (forall i, L2 (measure_of P) (k i)) ->
  General.independent_vectors (measure_of P) X Y ->
  zero_mean (components q k) -> identity_covariance q k ->
  'E_w[c * dot q k w] = 0 /\ 'Var_w[c * dot q k w] = c ^+ 2 * d%:R.
Proof.
move=> mX mY mf mg q2 k2 indep zero [q_iso k_one].
have q0 i : mean (q i) = 0 := zero (inl i).
have k0 i : mean (k i) = 0 := zero (inr i).
have q0e i : emean (measure_of P) (f i \o X) = 0%E.
  by rewrite -[LHS](fineK (L1_fin_num (L2_L1 (total_mass P) (q2 i)))) [fine _]q0.
have qq i j : fine (emean (measure_of P) (fun w => f i (X w) * f j (X w))) = (i == j)%:R.
  rewrite -q_iso /covariance !q0; congr (fine (emean _ _)); apply/funext => w.
  by rewrite !subr0.
have kk i : fine (emean (measure_of P) (fun w => g i (Y w) * g i (Y w))) = 1.
  rewrite -(k_one i) /variance k0; congr (fine (emean _ _)); apply/funext => w.
  by rewrite subr0 expr2.
split.
  transitivity (fine (emean (measure_of P) (fun w => c * dot q k w))); first by [].
  by rewrite [emean _ _](emean_dot_scaled (total_mass P) mX mY indep mf mg q2 k2 q0e c).
transitivity (fine (evar (measure_of P) (fun w => c * dot q k w))); first by [].
by rewrite [evar _ _](evar_dot_scaled (total_mass P) mX mY indep mf mg q2 k2 q0e qq kk c).
Qed.

(* [statement:dot_product_variance_general] *)
Theorem dot_product_variance_general d0 d1 d2 (Om : measurableType d0)
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
    (H_identity_covariance : identity_covariance q k) :
  'Var_w[dot q k w] = d%:R.
(* [statement:dot_product_variance_general] *)
(* [proof:dot_product_variance_general] *)
Proof.
have [_] := @dot_product_moments_general _ _ _ _ _ _ _ P X Y d f g 1 measurable_X measurable_Y
  measurable_f measurable_g square_integrable_q square_integrable_k H_independent_vectors
  H_zero_mean H_identity_covariance.
rewrite expr1n mul1r => <-; congr variance; apply/funext => w.
by rewrite mul1r.
Qed.
(* [proof:dot_product_variance_general] *)

(* q = (sign x_1, sign x_2) and k = (sign y, sign y) for three coins x_1, x_2, y: the components of
   k are equal *)
Section Instance.
Variable R : realType.
Let X := general_coin R.
Let P := pair_law (pair_law X X) X.

Definition two_signs (i : 'I_2) (x : bool * bool) : R := if i == ord0 then sign x.1 else sign x.2.
Definition same_sign (i : 'I_2) (y : bool) : R := sign y.
Let q i (w : P) := two_signs i w.1.
Let k i (w : P) := same_sign i w.2.

Let sign1 : L1 (measure_of X) sign. Proof. exact: L1_coin. Qed.
Let sign2 : L1 (measure_of X) (fun b => sign b * sign b). Proof. exact: L1_coin. Qed.

Lemma measurable_same_sign i : measurable_fun setT (same_sign i).
Proof. exact: measurable_coin. Qed.

Lemma two_signs_L2 i : L2 (measure_of (pair_law X X)) (two_signs i).
Proof.
by rewrite /two_signs; case: (i == ord0); [exact/L2_first/L2_coin | exact/L2_second/L2_coin].
Qed.

Lemma measurable_two_signs i : measurable_fun setT (two_signs i).
Proof. by case: (two_signs_L2 i). Qed.

Lemma two_signs_mean i : emean (measure_of (pair_law X X)) (two_signs i) = 0%E.
Proof.
rewrite /two_signs; case: (i == ord0).
  by rewrite (emean_first X sign1) emean_sign.
by rewrite (emean_second X sign1) emean_sign.
Qed.

Lemma two_signs_cross i j :
  emean (measure_of (pair_law X X)) (fun x => two_signs i x * two_signs j x) = (i == j)%:R%:E.
Proof.
have cross : emean (measure_of (pair_law X X)) (fun x => sign x.1 * sign x.2) = 0%E.
  by rewrite (emean_pair sign1 sign1) emean_sign mul0e.
rewrite /two_signs; case: i j => -[|[|//]] hi [[|[|//]] hj]; rewrite -!val_eqE /=.
- by rewrite (emean_first X sign2) emean_sign_sqr.
- exact: cross.
- by rewrite -cross; apply: eq_integral => x _; rewrite mulrC.
- by rewrite (emean_second X sign2) emean_sign_sqr.
Qed.

Lemma three_coins_hypotheses :
  [/\ (forall i, L2 (measure_of P) (q i)) /\ (forall i, L2 (measure_of P) (k i)),
      General.independent_vectors (measure_of P) (fun w => w.1) (fun w => w.2),
      zero_mean (components q k) & identity_covariance q k].
Proof.
have q1 i := L2_L1 (total_mass _) (two_signs_L2 i).
have zero : zero_mean (components q k).
  case=> i; rewrite /mean /=; first by rewrite (emean_first X (q1 i)) two_signs_mean.
  by rewrite /k /same_sign (emean_second (pair_law X X) sign1) emean_sign.
split; [split=> i| |exact: zero|split=> [i j|i]].
- exact/L2_first/two_signs_L2.
- exact/L2_second/L2_coin.
- exact: (pair_independent _ _ (@measurable_fun_id _ _ setT) (@measurable_fun_id _ _ setT)).
- rewrite (covariance_centred (zero (inl i)) (zero (inl j))) /mean /=.
  have qq := L2_mul (two_signs_L2 i) (two_signs_L2 j).
  by rewrite (emean_first X qq) two_signs_cross.
- rewrite (variance_centred (zero (inr i))) /mean /=.
  rewrite /k /same_sign (_ : (fun w => _) = fun w : P => sign w.2 * sign w.2); last first.
    by apply/funext => w; exact: expr2.
  by rewrite (emean_second (pair_law X X) sign2) emean_sign_sqr.
Qed.

(* [statement:dot_product_variance_general_instance] *)
Example dot_product_variance_general_instance :
  [/\ (forall i, L2 (measure_of P) (q i)) /\ (forall i, L2 (measure_of P) (k i)),
      General.independent_vectors (measure_of P) (fun w => w.1) (fun w => w.2),
      zero_mean (components q k), identity_covariance q k & 'Var_w[dot q k w] = 2%:R].
(* [statement:dot_product_variance_general_instance] *)
(* [proof:dot_product_variance_general_instance] *)
Proof.
have [[q2 k2] indep zero one] := three_coins_hypotheses; split; [by []..|].
exact: (dot_product_variance_general (@measurable_fun_fst _ _ _ _) (@measurable_fun_snd _ _ _ _)
  measurable_two_signs measurable_same_sign q2 k2 indep zero one).
Qed.
(* [proof:dot_product_variance_general_instance] *)
End Instance.

Section Counterexamples.
Variable R : realType.
Let X := general_coin R.
Let P := pair_law X X.
Let sign1 : L1 (measure_of X) sign. Proof. exact: L1_coin. Qed.
Let sign2 : L1 (measure_of X) (fun b => sign b * sign b). Proof. exact: L1_coin. Qed.

Lemma two_coins_L2 n (f g : bool -> R) :
  (forall i : 'I_n, L2 (measure_of P) (fun w => f w.1)) /\
  (forall i : 'I_n, L2 (measure_of P) (fun w => g w.2)).
Proof. by split=> i; [exact/L2_first/L2_coin | exact/L2_second/L2_coin]. Qed.

Lemma two_coins_independent :
  General.independent_vectors (measure_of P) (fun w => w.1) (fun w => w.2).
Proof.
exact: (pair_independent _ _ (@measurable_fun_id _ _ setT) (@measurable_fun_id _ _ setT)).
Qed.

Lemma mean_first_sign : mean (fun w : P => sign w.1 : R) = 0.
Proof. by rewrite /mean /= (emean_first X sign1) emean_sign. Qed.

Lemma mean_second_sign : mean (fun w : P => sign w.2 : R) = 0.
Proof. by rewrite /mean /= (emean_second X sign1) emean_sign. Qed.

(* d = 1, U = V = R: the variance is 0 *)
(* [statement:dot_product_variance_general_without_independent_vectors] *)
Example dot_product_variance_general_without_independent_vectors
    (q := fun (_ : 'I_1) (w : X) => sign w : R) (k := q) :
  [/\ forall i, L2 (measure_of X) (q i), zero_mean (components q k), identity_covariance q k & 'Var_w[dot q k w] = 0].
(* [statement:dot_product_variance_general_without_independent_vectors] *)
(* [proof:dot_product_variance_general_without_independent_vectors] *)
Proof.
have zero : zero_mean (components q k) by case=> i; rewrite /mean /= emean_sign.
split; [by move=> i; exact: L2_coin|exact: zero|split=> [i j|i]|].
- rewrite (covariance_centred (zero (inl i)) (zero (inl j))) /mean /= emean_sign_sqr.
  by rewrite !ord1 eqxx.
- rewrite (variance_centred (zero (inr i))) /mean /= (_ : (fun w => _) = fun b => sign b * sign b).
    by rewrite emean_sign_sqr.
  by apply/funext => w; exact: expr2.
- have one : dot q k = cst 1.
    by apply/funext => w; rewrite /dot big_ord_recl big_ord0 addr0 -expr2 sign_sqr.
  have two : (1 + 1) / 2%:R = 1 :> R by rewrite -mulr2n divff ?pnatr_eq0.
  by rewrite /variance /mean /= one !emean_coin /= two subrr expr0n addr0 mul0r.
Qed.
(* [proof:dot_product_variance_general_without_independent_vectors] *)

(* d = 1, U = R, V = 1 + R: 2 *)
(* [statement:dot_product_variance_general_without_zero_mean] *)
Example dot_product_variance_general_without_zero_mean
    (q := fun (_ : 'I_1) (w : P) => sign w.1 : R) (k := fun (_ : 'I_1) (w : P) => shifted w.2 : R) :
  [/\ (forall i, L2 (measure_of P) (q i)) /\ (forall i, L2 (measure_of P) (k i)),
      General.independent_vectors (measure_of P) (fun w => w.1) (fun w => w.2),
      identity_covariance q k & 'Var_w[dot q k w] = 2%:R].
(* [statement:dot_product_variance_general_without_zero_mean] *)
(* [proof:dot_product_variance_general_without_zero_mean] *)
Proof.
have two : (1 + 1) / 2%:R = 1 :> R by rewrite -mulr2n divff ?pnatr_eq0.
split; [exact: two_coins_L2|exact: two_coins_independent|split=> [i j|i]|].
- rewrite (covariance_centred mean_first_sign mean_first_sign) /mean /=.
  by rewrite (emean_first X sign2) emean_sign_sqr !ord1 eqxx.
- have k1 : 'E_w[k i w] = 1.
    rewrite /mean /= (emean_second X (L1_coin _)) emean_coin /shifted /sign subrr addr0.
    exact: two.
  rewrite /variance k1 (_ : (fun w => _) = fun w : P => sign w.2 * sign w.2); last first.
    by apply/funext => w; rewrite /k /shifted addrAC subrr add0r expr2.
  by rewrite /mean /= (emean_second X sign2) emean_sign_sqr.
- rewrite (_ : (fun w => _) = fun w : P => 1 * (sign w.1 * shifted w.2)); last first.
    by apply/funext => w; rewrite mul1r /dot big_ord_recl big_ord0 addr0.
  rewrite variance_pair_of_coins ?mean_pair_of_coins; last by rewrite subrr !mul0r mulr0.
  rewrite expr1n mul1r !sign_sqr two mul1r /shifted /sign subrr expr0n addr0 -[1 + 1]/(2%:R).
  by rewrite expr2 mulfK ?pnatr_eq0.
Qed.
(* [proof:dot_product_variance_general_without_zero_mean] *)

(* d = 2, U_1 = U_2 and V_1 = V_2, fair signs: q . k = 2 U_1 V_1 *)
Lemma variance_equal_components c :
  variance (fun w : P => c * (sign w.1 * sign w.2) : R) = c ^+ 2.
Proof.
have two : (1 + 1) / 2%:R = 1 :> R by rewrite -mulr2n divff ?pnatr_eq0.
rewrite variance_pair_of_coins ?mean_pair_of_coins; last by rewrite subrr !mul0r mulr0.
by rewrite !sign_sqr two !mulr1.
Qed.

Lemma equal_components w :
  dot (fun (_ : 'I_2) (w : P) => sign w.1 : R) (fun _ w => sign w.2) w =
  2%:R * (sign w.1 * sign w.2).
Proof. by rewrite /dot !big_ord_recl big_ord0 addr0 mulr_natl mulr2n. Qed.

(* [statement:dot_product_variance_general_without_identity_covariance] *)
Example dot_product_variance_general_without_identity_covariance
    (q := fun (_ : 'I_2) (w : P) => sign w.1 : R) (k := fun (_ : 'I_2) (w : P) => sign w.2 : R) :
  [/\ (forall i, L2 (measure_of P) (q i)) /\ (forall i, L2 (measure_of P) (k i)),
      General.independent_vectors (measure_of P) (fun w => w.1) (fun w => w.2),
      zero_mean (components q k) & 'Var_w[dot q k w] = 4%:R].
(* [statement:dot_product_variance_general_without_identity_covariance] *)
(* [proof:dot_product_variance_general_without_identity_covariance] *)
Proof.
split; [exact: two_coins_L2|exact: two_coins_independent| |].
  by case=> i; [exact: mean_first_sign | exact: mean_second_sign].
by rewrite (funext equal_components) variance_equal_components -natrX.
Qed.
(* [proof:dot_product_variance_general_without_identity_covariance] *)
End Counterexamples.
