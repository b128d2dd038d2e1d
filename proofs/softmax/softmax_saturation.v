From mathcomp Require Import all_ssreflect ssralg ssrnum.
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp.analysis Require Import reals ereal signed topology normedtype sequences exp.
From rootdk.theory Require Import simplex softmax.
From rootdk.softmax Require Import softmax_simplex.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Def Num.Theory.
Import numFieldNormedType.Exports.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

(* Step 13. With r = (n-1)e^{-gap} the weight missing from the largest is at most r/(1+r) *)

Definition saturation (R : realType) n (z : 'I_n.+1 -> \bar R) : R := n%:R * expR (- fine (gap z)).

(* t z *)
Definition scaled (R : realType) n (t : R) (z : 'I_n -> \bar R) : 'I_n -> \bar R :=
  fun k => (t%:E * z k)%E.

Section Gap.
Variables (R : realType) (n : nat) (x : 'I_n.+1 -> R).
Let z k := (x k)%:E.

Lemma gapE : two_or_more_logits n.+1 ->
  (0 <= fine (gap z)) /\ (forall i, i != top z -> x i <= x (top z) - fine (gap z)).
Proof.
move=> two; have [j jt] := other_index (top z) two.
have g0 : (0 <= gap z)%E.
  apply: le_bigmin => [|i _]; first exact: leey.
  by rewrite -EFinB lee_fin subr_ge0 -lee_fin; exact: (le_top z).
have gle i : i != top z -> (gap z <= (x (top z) - x i)%:E)%E.
  by move=> it; rewrite EFinB; apply: bigmin_le_cond.
have gf : gap z \is a fin_num.
  by rewrite ge0_fin_numE // (le_lt_trans (gle j jt)) // ltry.
split=> [|i it]; first by rewrite fine_ge0.
by rewrite ler_subr_addr -ler_subr_addl -lee_fin fineK //; exact: gle.
Qed.

Lemma rest_le g m : (forall i, i != m -> x i <= x m - g) -> rest x m <= n%:R * expR (- g).
Proof.
move=> h; apply: (@le_trans _ _ (\sum_(i | i != m) expR (- g))).
  apply: ler_sum => i im; rewrite ler_expR ler_subl_addr addrC.
  exact: h.
by rewrite sumr_const -[leLHS]mulr_natl cardC1 card_ord.
Qed.
End Gap.

(* in the simplex each weight is as near to its one-hot value as the one at m is to 1 *)
Lemma one_hot_near (R : realFieldType) (n : nat) (s : 'I_n -> R) m i :
  simplex_point s -> `|(i == m)%:R - s i| <= 1 - s m.
Proof.
move=> [s0 s1]; have rest0 : 1 - s m = \sum_(j | j != m) s j.
  by rewrite -s1 (bigD1 m) //= addrC addKr.
have [->|im] := eqVneq i m; first by rewrite ger0_norm // rest0 sumr_ge0.
by rewrite sub0r normrN ger0_norm // rest0 (bigD1 i) //= ler_addl sumr_ge0.
Qed.

Lemma one_minus_le_rest (R : realType) (n : nat) (x : 'I_n.+1 -> R) m :
  1 - softmaxr x m <= rest x m.
Proof.
have a0 := rest_ge0 x m.
by rewrite one_minus_softmaxr ler_pdivr_mulr ?ltr_paddr // mulrDr mulr1 ler_addl mulr_ge0.
Qed.

Lemma one_hot_dist (R : realType) (n : nat) (x : 'I_n.+1 -> R) m i :
  `|(i == m)%:R - softmaxr x i| <= rest x m.
Proof. exact: le_trans (one_hot_near _ _ (softmaxr_simplex x)) (one_minus_le_rest x m). Qed.

Lemma frac_le (R : realType) (a b : R) : 0 <= a -> a <= b -> a / (1 + a) <= b / (1 + b).
Proof.
move=> a0 ab; have b0 := le_trans a0 ab.
rewrite ler_pdivr_mulr ?ltr_paddr // mulrAC ler_pdivl_mulr ?ltr_paddr //.
by rewrite !mulrDr !mulr1 [b * a]mulrC ler_add2r.
Qed.

(* [statement:softmax_saturation] *)
Theorem softmax_saturation (R : realType) (n : nat) (z : 'I_n.+1 -> \bar R)
    (H_finite_logits : finite_logits z)
    (H_two_or_more_logits : two_or_more_logits n.+1)
    (r := saturation z) :
  [/\ 0 < 1 - s_max z, 1 - s_max z <= r / (1 + r) & r / (1 + r) < r].
(* [statement:softmax_saturation] *)
(* [proof:softmax_saturation] *)
Proof.
have [x zx] := finite_logitsE H_finite_logits; rewrite /r /saturation zx.
set y := fun k => _; have [g0 gap_le] := gapE x H_two_or_more_logits.
have r0 : 0 < n%:R * expR (- fine (gap y)) by rewrite mulr_gt0 ?expR_gt0 ?ltr0n.
split.
- rewrite subr_gt0 s_maxE -softmaxE; exact: softmax_simplex_below_one.
- rewrite s_maxE one_minus_softmaxr frac_le ?rest_ge0 //.
  exact: rest_le.
- by rewrite ltr_pdivr_mulr ?ltr_paddl ?ltW // ltr_pmulr // ltr_addl.
Qed.
(* [proof:softmax_saturation] *)

(* equality at (gap, 0, ..., 0) *)
(* [statement:softmax_saturation_attained] *)
Theorem softmax_saturation_attained (R : realType) (n : nat) (D : R) (D0 : 0 <= D)
    (z : 'I_n.+2 -> \bar R := fun k => (if k == ord0 then D else 0)%:E)
    (r := n.+1%:R * expR (- D)) :
  1 - s_max z = r / (1 + r).
(* [statement:softmax_saturation_attained] *)
(* [proof:softmax_saturation_attained] *)
Proof.
have zE k : z k = ((if k == ord0 then D else 0) : R)%:E by [].
set x : 'I_n.+2 -> R := fun k => if k == ord0 then D else 0.
have s0 : s_max z = softmaxr x ord0.
  rewrite s_maxE; apply/eqP; rewrite eq_le !softmaxr_le; apply/andP; split.
    by rewrite eqxx; case: ifP.
  by rewrite -lee_fin; exact: (le_top z ord0).
rewrite s0 one_minus_softmaxr; suff -> : rest x ord0 = r by [].
rewrite /rest (eq_bigr (fun=> expR (- D))) => [|i /negbTE i0]; last first.
  by rewrite /x i0 eqxx sub0r.
by rewrite sumr_const cardC1 card_ord -[LHS]mulr_natl.
Qed.
(* [proof:softmax_saturation_attained] *)

(* the limit for any logits of which the largest is not -oo *)
Section Limit.
Variables (R : realType) (n : nat) (z : 'I_n.+1 -> \bar R).
Let m := top z.
Hypothesis um : unique_maximum z.
Hypothesis mN : z m != -oo%E.

Let infinite t k : 0 < t -> (scaled t z k == +oo%E) = (z k == +oo%E).
Proof.
by move=> t0; rewrite /scaled; case: (z k) => //; rewrite ?gt0_muley ?gt0_muleNy ?lte_fin.
Qed.

(* the others are at least g below the largest *)
Let below y : z m = y%:E -> exists x : 'I_n.+1 -> R, exists2 g, 0 < g &
  [/\ x m = y, forall k, k != m -> x k <= x m - g & forall t k, 0 < t ->
      logit_weight (scaled t z) k = if z k == -oo%E then 0 else expR (t * x k)].
Proof.
move=> zm; pose x k := if z k is r%:E then r else y - 1.
have xm : x m = y by rewrite /x zm.
have lt k : k != m -> x k < x m.
  move=> km; have := um km; rewrite xm /x -/m zm; case: (z k) => //= _.
  by rewrite ltr_subl_addr ltr_addl.
exists x, (\big[Num.min/1]_(k | k != m) (x m - x k)).
  by apply: lt_bigmin => // k km; rewrite subr_gt0 lt.
split=> // [k km|t k t0].
  by rewrite ler_subr_addr -ler_subr_addl; exact: bigmin_le_cond.
rewrite /logit_weight; case: existsP => [[l]|_].
  rewrite infinite // => /eqP zl; have := le_top z l.
  by rewrite zl -/m zm leye_eq.
have := le_top z k; rewrite -/m zm /scaled /x.
by case: (z k) => [r _|//|_]; rewrite ?gt0_muleNy ?lte_fin.
Qed.

Let bound : exists2 C, 0 <= C & forall t : R, 0 < t ->
  simplex_point (softmax (scaled t z)) /\ 1 - softmax (scaled t z) m <= C / t.
Proof.
have mP k : k != m -> z k != +oo%E.
  by move=> km; apply/eqP => zk; have := um km; rewrite zk ltNge leey.
case zm: (z m) mN => [y| |] // _; last first.
  exists 0 => // t t0; have w k : logit_weight (scaled t z) k = (k == m)%:R.
    rewrite /logit_weight; case: existsP => [_|[]]; last by exists m; rewrite infinite // zm.
    by rewrite infinite //; case: (eqVneq k m) => [->|/mP/negbTE ->]; rewrite ?zm.
  have s k : softmax (scaled t z) k = (k == m)%:R.
    rewrite /softmax w (eq_bigr (fun l => (m == l)%:R * 1)) => [|l _].
      by rewrite sum_delta divr1.
    by rewrite w mulr1 eq_sym.
  rewrite s eqxx subrr mul0r; split=> //; split=> [k|]; first by rewrite s ler0n.
  rewrite /weights_sum_to_one (eq_bigr (fun l => (m == l)%:R * 1)) ?sum_delta // => l _.
  by rewrite s mulr1 eq_sym.
have [x [g g0 [xm gle w]]] := below zm.
exists (n%:R / g); first by rewrite divr_ge0 // ltW.
move=> t t0; set W := \sum_k logit_weight (scaled t z) k.
have wm : logit_weight (scaled t z) m = expR (t * x m) by rewrite w // zm.
have W0 : 0 < W.
  rewrite /W (bigD1 m) //= wm ltr_paddr ?expR_gt0 // sumr_ge0 // => k _.
  exact: logit_weight_ge0.
split.
  split=> [k|]; first by rewrite divr_ge0 ?logit_weight_ge0 // ltW.
  by rewrite /weights_sum_to_one -mulr_suml divff // gt_eqF.
apply: (@le_trans _ _ (1 - softmaxr (fun k => t * x k) m)).
  rewrite ler_add2l ler_opp2 /softmaxr /softmax wm ler_pmul2l ?expR_gt0 //.
  rewrite lef_pinv ?posrE ?sum_exp_gt0 //; apply: ler_sum => k _; rewrite w //.
  by case: ifP => // _; exact/ltW/expR_gt0.
apply: le_trans (one_minus_le_rest _ _) _.
apply: (@le_trans _ _ (n%:R * expR (- (t * g)))).
  by apply: rest_le => k km; rewrite -mulrBr ler_pmul2l //; exact: gle.
rewrite -mulrA ler_wpmul2l // -invfM expRN lef_pinv ?posrE ?expR_gt0 ?mulr_gt0 // [g * t]mulrC.
by rewrite (le_trans _ (expR_ge1Dx _)) ?ler_addr // mulr_ge0 // ltW.
Qed.

Lemma saturation_limit i :
  (fun t : R => softmax (scaled t z) i) @ +oo --> ((i == m)%:R : R).
Proof.
have [C C0 near_vertex] := bound.
apply/cvgrPdist_le => e e0; near=> t.
have t0 : 0 < t by near: t; exact: nbhs_pinfty_gt.
have te : C / e <= t by near: t; exact/nbhs_pinfty_ge/num_real.
have [point le] := near_vertex t t0.
rewrite (le_trans (one_hot_near m i point)) // (le_trans le) //.
by move: te; rewrite !ler_pdivr_mulr // mulrC.
Unshelve. all: by end_near. Qed.
End Limit.

(* [statement:softmax_saturation_limit] *)
Theorem softmax_saturation_limit (R : realType) (n : nat) (z : 'I_n.+1 -> \bar R)
    (H_finite_logits : finite_logits z)
    (H_unique_maximum : unique_maximum z) (i : 'I_n.+1) :
  (fun t : R => softmax (scaled t z) i) @ +oo --> ((i == top z)%:R : R).
(* [statement:softmax_saturation_limit] *)
(* [proof:softmax_saturation_limit] *)
Proof.
apply: saturation_limit => //.
by have := H_finite_logits (top z); rewrite fin_numE => /andP[].
Qed.
(* [proof:softmax_saturation_limit] *)

(* (1, 2, 3, 10^6) is within 3e^{-999997} of one-hot *)
(* [statement:softmax_saturation_example] *)
Theorem softmax_saturation_example (R : realType)
    (z : 'I_4 -> \bar R := fun k => (vec4 1 2%:R 3%:R (10%:R ^+ 6) k)%:E) (i : 'I_4) :
  `|(i == ord_max)%:R - softmax z i| <= 3%:R * expR (- (10%:R ^+ 6 - 3%:R)).
(* [statement:softmax_saturation_example] *)
(* [proof:softmax_saturation_example] *)
Proof.
rewrite softmaxE (le_trans (one_hot_dist _ _ _)) //; apply: rest_le.
have top_minus : vec4 1 2%:R 3%:R (10%:R ^+ 6) (ord_max : 'I_4) - (10%:R ^+ 6 - 3%:R) = 3%:R :> R.
  by rewrite /vec4 /= opprB addrC subrK.
move=> j; rewrite top_minus -val_eqE /vec4; case: j => -[|[|[|[|//]]]] //= hj _.
  by rewrite (ler_nat R 1 3).
by rewrite (ler_nat R 2 3).
Qed.
(* [proof:softmax_saturation_example] *)

(* (1, 0) *)
(* [statement:softmax_saturation_instance] *)
Example softmax_saturation_instance (R : realType)
    (z : 'I_2 -> \bar R := fun k => (if k == ord0 then 1 else 0)%:E) (r := saturation z) :
  [/\ finite_logits z, two_or_more_logits 2 & 1 - s_max z <= r / (1 + r)].
(* [statement:softmax_saturation_instance] *)
(* [proof:softmax_saturation_instance] *)
Proof. by split=> //; have [] := @softmax_saturation R 1 z. Qed.
(* [proof:softmax_saturation_instance] *)

(* [statement:softmax_saturation_limit_instance] *)
Example softmax_saturation_limit_instance (R : realType)
    (z : 'I_2 -> \bar R := fun k => (if k == ord0 then 1 else 0)%:E) :
  [/\ finite_logits z, unique_maximum z
    & (fun t : R => softmax (scaled t z) ord0) @ +oo --> (1 : R)].
(* [statement:softmax_saturation_limit_instance] *)
(* [proof:softmax_saturation_limit_instance] *)
Proof.
have t0 : top z = ord0.
  have := le_top z ord0; rewrite /z /= lee_fin.
  by case: eqP => [->//|_]; rewrite ler10.
have um : unique_maximum z.
  by move=> i; rewrite t0 /z => /negbTE ->; rewrite eqxx lte_fin ltr01.
have zf : finite_logits z by [].
split=> //; have := @softmax_saturation_limit R 1 z zf um ord0; by rewrite t0 eqxx.
Qed.
(* [proof:softmax_saturation_limit_instance] *)

(* (0, -oo) is one-hot already *)
(* [statement:softmax_saturation_without_finite_logits] *)
Example softmax_saturation_without_finite_logits (R : realType)
    (z : 'I_2 -> \bar R := fun k => if k == ord0 then 0%E else -oo%E) :
  two_or_more_logits 2 /\ ~ (0 < 1 - s_max z).
(* [statement:softmax_saturation_without_finite_logits] *)
(* [proof:softmax_saturation_without_finite_logits] *)
Proof.
split=> //; apply/negP; rewrite -leNgt subr_le0.
by rewrite -[X in X <= _](softmax_minus_infinity (erefl z) ord0); exact: le_bigmax.
Qed.
(* [proof:softmax_saturation_without_finite_logits] *)

(* one logit has all the weight *)
(* [statement:softmax_saturation_without_two_or_more_logits] *)
Example softmax_saturation_without_two_or_more_logits (R : realType)
    (z : 'I_1 -> \bar R := fun=> 0%E) :
  finite_logits z /\ ~ (0 < 1 - s_max z).
(* [statement:softmax_saturation_without_two_or_more_logits] *)
(* [proof:softmax_saturation_without_two_or_more_logits] *)
Proof.
split=> //; apply/negP; rewrite -leNgt subr_le0.
have [_ s1] := softmax_simplex_below_one_without_two_or_more_logits R.
by rewrite -[X in X <= _]s1; exact: le_bigmax.
Qed.
(* [proof:softmax_saturation_without_two_or_more_logits] *)

(* (0, 0): the weights stay at 1/2 *)
(* [statement:softmax_saturation_limit_without_unique_maximum] *)
Example softmax_saturation_limit_without_unique_maximum (R : realType)
    (z : 'I_2 -> \bar R := fun=> 0%E) :
  finite_logits z /\
  ~ (forall i, (fun t : R => softmax (scaled t z) i) @ +oo --> ((i == top z)%:R : R)).
(* [statement:softmax_saturation_limit_without_unique_maximum] *)
(* [proof:softmax_saturation_limit_without_unique_maximum] *)
Proof.
split=> // /(_ (top z)); rewrite eqxx (_ : (fun t => _) = cst 2%:R^-1); last first.
  apply/funext => t /=; have [_ h] := softmax_simplex_instance R 1.
  by rewrite -(h (top z)); congr softmax; apply/funext => k; rewrite /scaled mule0.
move=> /(cvg_lim (@Rhausdorff R)); rewrite lim_cst; last exact: Rhausdorff.
by move=> /eqP; rewrite invr_eq1 pnatr_eq1.
Qed.
(* [proof:softmax_saturation_limit_without_unique_maximum] *)

(* a single logit of -oo has no weight to give *)
(* [statement:softmax_saturation_limit_without_finite_logits] *)
Example softmax_saturation_limit_without_finite_logits (R : realType)
    (z : 'I_1 -> \bar R := fun=> -oo%E) :
  unique_maximum z /\
  ~ (forall i, (fun t : R => softmax (scaled t z) i) @ +oo --> ((i == top z)%:R : R)).
(* [statement:softmax_saturation_limit_without_finite_logits] *)
(* [proof:softmax_saturation_limit_without_finite_logits] *)
Proof.
split=> [i|/(_ ord0)]; first by rewrite (ord1 i) (ord1 (top z)) eqxx.
rewrite (ord1 (top z)) => /cvgrPdist_lt/(_ 1 ltr01) h.
near (pinfty_nbhs R) => t.
have t0 : 0 < t by near: t; exact: nbhs_pinfty_gt.
have w : logit_weight (scaled t z) ord0 = 0.
  rewrite (_ : scaled t z = z) ?/logit_weight; first by case: existsP => // -[k /eqP].
  by apply/funext => k; rewrite /scaled /z gt0_muleNy ?lte_fin.
have : `|1 - softmax (scaled t z) ord0| < 1 by near: t; exact: h.
by rewrite /softmax w mul0r subr0 normr1 ltxx.
Unshelve. all: by end_near. Qed.
(* [proof:softmax_saturation_limit_without_finite_logits] *)
