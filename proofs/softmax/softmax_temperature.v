From mathcomp Require Import all_ssreflect ssralg ssrnum zmodp matrix interval.
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp.analysis Require Import reals ereal signed topology normedtype sequences derive.
From mathcomp.analysis Require Import realfun exp.
From rootdk.theory Require Import law finite_law simplex softmax.
From rootdk.softmax Require Import softmax_jacobian jacobian_structure.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Def Num.Theory.
Import numFieldNormedType.Exports.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

(* Step 18. How the weights softmax(t z) and their entropy move with t, the inverse temperature *)

Definition entropy (R : realType) n (s : 'I_n -> R) : R := - \sum_i s i * ln (s i).

Definition scale_at_least_one (R : realType) (c : R) := 1 <= c.

Section Temperature.
Variables (R : realType) (n : nat).
Implicit Types (z : 'I_n.+1 -> R) (t : R).

(* softmax(t z), and the law with these weights on the indices *)
Definition weights_at z t : 'I_n.+1 -> R := softmax (fun k => (t * z k)%:E).

Lemma weights_atE z t : weights_at z t = softmaxr (fun k => t * z k).
Proof. exact/funext/softmaxE. Qed.

Lemma weights_at_simplex z t : simplex_point (weights_at z t).
Proof. by rewrite weights_atE; exact: softmaxr_simplex. Qed.

Definition law_at z t : finite_law R := simplex_law (weights_at_simplex z t).

Lemma weights_at_gt0 z t i : 0 < weights_at z t i.
Proof. by rewrite weights_atE softmaxr_gt0. Qed.

Lemma weights_at1 z : weights_at z 1 = softmax (fun k => (z k)%:E).
Proof. by congr softmax; apply/funext => k; rewrite mul1r. Qed.

Lemma weights_atV z c : weights_at z c^-1 = softmax (fun k => (z k / c)%:E).
Proof. by congr softmax; apply/funext => k; rewrite mulrC. Qed.

Lemma mean_law_at z t : mean (z : law_at z t -> R) = \sum_i weights_at z t i * z i.
Proof. by []. Qed.

(* H = log sum e^{t z} - t E_s z *)
Lemma entropy_at z t :
  entropy (weights_at z t) = ln (\sum_k expR (t * z k)) - t * mean (z : law_at z t -> R).
Proof.
set Z := \sum_k _; have Z0 : 0 < Z := sum_exp_gt0 _.
rewrite /entropy (eq_bigr (fun i => t * (weights_at z t i * z i) - weights_at z t i * ln Z)).
  rewrite sumrB -mulr_sumr -mulr_suml (proj2 (weights_at_simplex z t)) mul1r opprB.
  by rewrite -mean_law_at.
move=> i _; rewrite [in ln _]weights_atE /softmaxr ln_div ?posrE ?expR_gt0 // expK.
by rewrite mulrBr mulrCA.
Qed.

Lemma is_derive_weight z t i :
  is_derive t 1 (fun t => weights_at z t i)
    (weights_at z t i * (z i - mean (z : law_at z t -> R))).
Proof.
have e : weights_at z = fun r => softmaxr (fun k => 0 + r * z k).
  apply/funext => r; rewrite weights_atE; congr softmaxr.
  by apply/funext => k; rewrite add0r.
rewrite mean_law_at e; exact: is_derive_softmaxr.
Qed.

Lemma is_derive_mean z t :
  is_derive t 1 (fun t => mean (z : law_at z t -> R)) (variance (z : law_at z t -> R)).
Proof.
rewrite (_ : (fun t => _) = \sum_(i < n.+1) (z i *: (fun t => weights_at z t i))); last first.
  apply/funext => r; rewrite fct_sumE mean_law_at; apply: eq_bigr => i _.
  exact: mulrC.
set E := mean (z : law_at z t -> R).
have h : is_derive t 1 (\sum_(i < n.+1) (z i *: (fun t => weights_at z t i)))
    (\sum_(i < n.+1) (z i *: (weights_at z t i * (z i - E)))).
  apply: is_derive_sum => i; apply: is_deriveZ; exact: is_derive_weight.
apply: (is_derive_eq h); have [_ _ form _ _] := jacobian_structure (weights_at_simplex z t).
have -> : variance (z : law_at z t -> R) = variance (fun i : law_at z t => (\col_j z j) i 0).
  by apply: eq_variance => i; rewrite mxE.
rewrite -form jac_formE {1}/E mean_law_at mulr_suml -sumrB; apply: eq_bigr => i _.
rewrite !mxE [LHS]mulrCA mulrBr mulrBr !mulrA; congr (_ - _ * _).
by apply: eq_bigr => j _; rewrite mxE.
Qed.

Lemma is_derive_log_sum z t :
  is_derive t 1 (fun t => ln (\sum_k expR (t * z k))) (mean (z : law_at z t -> R)).
Proof.
have Z0 r : 0 < \sum_k expR (r * z k) := sum_exp_gt0 _.
have dZ : is_derive t 1 (fun t => \sum_k expR (t * z k)) (\sum_k z k * expR (t * z k)).
  have e (F : ('I_n.+1 -> R) -> R) r : F (fun k => r * z k) = F (fun k => 0 + r * z k).
    by congr F; apply/funext => k; rewrite add0r.
  rewrite (e (fun x => \sum_k z k * expR (x k))).
  rewrite (_ : (fun t => _) = fun t => \sum_k expR (0 + t * z k)).
    exact: (is_derive_sum_exp (fun=> 0)).
  by apply/funext => r; exact: (e (fun x => \sum_k expR (x k))).
have := @is_derive1_comp R (@ln R) (fun t => \sum_k expR (t * z k)) t _ _ (is_derive1_ln (Z0 t)) dZ.
move/is_derive_eq; apply; rewrite mean_law_at weights_atE mulr_sumr; apply: eq_bigr => k _.
by rewrite /softmaxr mulrCA [in RHS]mulrC [expR _ / _]mulrC.
Qed.

Lemma is_derive_entropy z t :
  is_derive t 1 (fun t => entropy (weights_at z t)) (- (t * variance (z : law_at z t -> R))).
Proof.
rewrite (_ : (fun t => _) = (fun t => ln (\sum_k expR (t * z k))) -
  (id : R -> R) * (fun t => mean (z : law_at z t -> R))); last first.
  by apply/funext => r; exact: entropy_at.
have dM := @is_deriveM R _ (id : R -> R) (fun t => mean (z : law_at z t -> R)) t 1 _ _
  (is_derive_id _ _) (is_derive_mean z t).
apply: (is_derive_eq (is_deriveB (is_derive_log_sum z t) dM)).
by rewrite [X in _ - (_ + X)]mulr1 opprD addrCA subrr addr0.
Qed.

(* the variance is positive unless all logits are equal, since no weight is 0 *)
Lemma variance_at_gt0 z t i j : z i != z j -> 0 < variance (z : law_at z t -> R).
Proof.
move=> zij; rewrite lt_neqAle variance_ge0 andbT eq_sym; apply: contra zij => /eqP v0.
have h : forall k, true -> weights_at z t k * (z k - mean (z : law_at z t -> R)) ^+ 2 = 0.
  apply: psumr_eq0P => // k _; rewrite mulr_ge0 ?sqr_ge0 //; exact/ltW/weights_at_gt0.
have zE k : z k = mean (z : law_at z t -> R).
  have /eqP := h k isT.
  by rewrite mulf_eq0 gt_eqF ?weights_at_gt0 //= sqrf_eq0 subr_eq0 => /eqP.
by rewrite (zE i) -(zE j).
Qed.

(* H(b) - H(a) = -t (b - a) Var for some t between *)
Lemma entropy_between z (a b : R) : a < b -> exists2 t, a < t < b &
  entropy (weights_at z a) - entropy (weights_at z b) =
  t * variance (z : law_at z t -> R) * (b - a).
Proof.
pose f : R -> R := fun t => entropy (weights_at z t).
have df t : is_derive t 1 f (- (t * variance (z : law_at z t -> R))) := is_derive_entropy z t.
have fc : {within `[a, b], continuous f}.
  by apply/continuous_subspaceT => r; exact/differentiable_continuous/derivable1_diffP.
move=> ab; have [t] := MVT ab (fun t _ => df t) fc.
by rewrite in_itv /= => tab e; exists t; rewrite // -[LHS]opprB e mulNr opprK.
Qed.

Lemma le_entropy_at z (a b : R) : 0 <= a -> a <= b ->
  entropy (weights_at z b) <= entropy (weights_at z a).
Proof.
move=> a0; rewrite le_eqVlt => /orP[/eqP -> //|ab].
have [t /andP[at_ _] e] := entropy_between z ab.
by rewrite -subr_ge0 e !mulr_ge0 ?variance_ge0 ?subr_ge0 ?ltW // (le_lt_trans a0).
Qed.

Lemma lt_entropy_at z (a b : R) i j : z i != z j -> 0 <= a -> a < b ->
  entropy (weights_at z b) < entropy (weights_at z a).
Proof.
move=> zij a0 ab; have [t /andP[at_ _] e] := entropy_between z ab.
by rewrite -subr_gt0 e !mulr_gt0 ?subr_gt0 ?(variance_at_gt0 t zij) // (le_lt_trans a0).
Qed.

Lemma entropy_equal z a : (forall i, z i = a) ->
  entropy (softmax (fun k => (z k)%:E)) = ln (n.+1%:R : R).
Proof.
move=> za; rewrite -weights_at1 entropy_at mul1r.
rewrite (mean_eq_cst (P := law_at z 1) za); under eq_bigr do rewrite za mul1r.
by rewrite sumr_const card_ord -[_ *+ _]mulr_natl lnM ?posrE ?ltr0n ?expR_gt0 // expK addrK.
Qed.

Lemma entropy_at0 z : entropy (weights_at z 0) = ln (n.+1%:R : R).
Proof.
rewrite -(entropy_equal (z := fun=> 0) (a := 0)) //; congr (entropy (softmax _)).
by apply/funext => k; rewrite mul0r.
Qed.
End Temperature.

(* [statement:softmax_temperature_derivative] *)
Theorem softmax_temperature_derivative (R : realType) (n : nat) (z : 'I_n.+1 -> R) (t : R) :
  [/\ forall i, is_derive t 1 (fun t => weights_at z t i)
        (\sum_j jac (weights_at z t) i j * z j),
      is_derive t 1 (fun t => mean (fun i : law_at z t => z i))
        (variance (fun i : law_at z t => z i))
    & is_derive t 1 (fun t => entropy (weights_at z t))
        (- (t * variance (fun i : law_at z t => z i)))].
(* [statement:softmax_temperature_derivative] *)
(* [proof:softmax_temperature_derivative] *)
Proof.
split=> [i||]; [|exact: is_derive_mean|exact: is_derive_entropy].
apply: (is_derive_eq (is_derive_weight z t i)).
rewrite mean_law_at; transitivity ((jac (weights_at z t) *m \col_j z j) i 0).
  by rewrite jac_mulE mxE; congr (_ * (_ - _)); apply: eq_bigr => j _; rewrite mxE.
by rewrite mxE; apply: eq_bigr => j _; congr (_ * _); rewrite mxE.
Qed.
(* [proof:softmax_temperature_derivative] *)

(* [statement:softmax_temperature] *)
Theorem softmax_temperature (R : realType) (n : nat) (z : 'I_n.+1 -> R) (c : R)
    (H_scale_at_least_one : scale_at_least_one c)
    (h := entropy (softmax (fun k => (z k)%:E)))
    (h_scaled := entropy (softmax (fun k => (z k / c)%:E))) :
  h <= h_scaled /\ (1 < c -> h_scaled = h <-> forall i j, z i = z j).
(* [statement:softmax_temperature] *)
(* [proof:softmax_temperature] *)
Proof.
have c0 : 0 < c := lt_le_trans ltr01 H_scale_at_least_one.
rewrite /h /h_scaled -weights_at1 -weights_atV; split.
  by apply: le_entropy_at; rewrite ?invr_ge0 ?invf_le1 // ltW.
move=> c1; split=> [He i j|eqz].
  apply/eqP/negPn/negP => zij; have : c^-1 < 1 by rewrite invf_lt1.
  by move/(lt_entropy_at zij); rewrite He ltxx invr_ge0 ltW // => /(_ isT).
rewrite weights_atV weights_at1 (entropy_equal (a := z ord0)) //.
by rewrite (entropy_equal (a := z ord0 / c)) // => k; rewrite (eqz k ord0).
Qed.
(* [proof:softmax_temperature] *)

(* 0 <= H <= log n, and log n only for equal logits *)
(* [statement:softmax_temperature_range] *)
Theorem softmax_temperature_range (R : realType) (n : nat) (z : 'I_n.+1 -> R)
    (h := entropy (softmax (fun k => (z k)%:E))) :
  0 <= h <= ln n.+1%:R /\ (h = ln n.+1%:R <-> forall i j, z i = z j).
(* [statement:softmax_temperature_range] *)
(* [proof:softmax_temperature_range] *)
Proof.
split; last split=> [He i j|eqz]; last exact: (entropy_equal (a := z ord0)).
  apply/andP; split; last by rewrite /h -weights_at1 -(entropy_at0 z) le_entropy_at // ler01.
  rewrite /h -weights_at1 /entropy -sumrN; apply: sumr_ge0 => i _.
  rewrite -mulrN mulr_ge0 ?oppr_ge0 ?(ltW (weights_at_gt0 _ _ _)) // -ln1 ler_ln ?posrE //.
    rewrite -[leRHS](proj2 (weights_at_simplex z 1)) (bigD1 i) //= ler_addl.
    by apply: sumr_ge0 => j _; exact/ltW/weights_at_gt0.
  exact: weights_at_gt0.
apply/eqP/negPn/negP => zij; have := lt_entropy_at zij (lexx 0) ltr01.
by rewrite weights_at1 -/h He entropy_at0 ltxx.
Qed.
(* [proof:softmax_temperature_range] *)

(* (0, 1) divided by 2: more entropy *)
(* [statement:softmax_temperature_instance] *)
Example softmax_temperature_instance (R : realType) (c : R := 2%:R)
    (z : 'I_2 -> R := fun k => if k == ord0 then 0 else 1) :
  scale_at_least_one c /\
  entropy (softmax (fun k => (z k)%:E)) < entropy (softmax (fun k => (z k / c)%:E)).
(* [statement:softmax_temperature_instance] *)
(* [proof:softmax_temperature_instance] *)
Proof.
have c1 : 1 < c by rewrite ltr1n.
have cs : scale_at_least_one c := ltW c1.
split=> //; have [le eq] := softmax_temperature z cs.
rewrite lt_neqAle le andbT eq_sym; apply/eqP => /(eq c1)/(_ ord0 ord_max)/eqP.
by rewrite /z /= eq_sym oner_eq0.
Qed.
(* [proof:softmax_temperature_instance] *)

(* (0, 1) divided by 1/2: less entropy *)
(* [statement:softmax_temperature_without_scale_at_least_one] *)
Example softmax_temperature_without_scale_at_least_one (R : realType) (c : R := 2%:R^-1)
    (z : 'I_2 -> R := fun k => if k == ord0 then 0 else 1) :
  0 < c /\ entropy (softmax (fun k => (z k / c)%:E)) < entropy (softmax (fun k => (z k)%:E)).
(* [statement:softmax_temperature_without_scale_at_least_one] *)
(* [proof:softmax_temperature_without_scale_at_least_one] *)
Proof.
have c0 : 0 < c by rewrite invr_gt0 ltr0n.
have c1 : 1 < c^-1 by rewrite invrK ltr1n.
split=> //; rewrite -weights_atV -weights_at1; apply: (@lt_entropy_at _ _ _ _ _ ord0 ord_max) => //.
by rewrite /z /= eq_sym oner_eq0.
Qed.
(* [proof:softmax_temperature_without_scale_at_least_one] *)
