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
  [/\ gap z \is a fin_num, 0 <= fine (gap z)
    & forall i, i != top z -> x i <= x (top z) - fine (gap z)].
Proof.
move=> two; have [j jt] := other_index (top z) two.
have g0 : (0 <= gap z)%E.
  apply: le_bigmin => [|i _]; first exact: leey.
  by rewrite -EFinB lee_fin subr_ge0 -lee_fin; exact: (le_top z).
have gle i : i != top z -> (gap z <= (x (top z) - x i)%:E)%E.
  by move=> it; rewrite EFinB; apply: bigmin_le_cond.
have gf : gap z \is a fin_num.
  by rewrite ge0_fin_numE // (le_lt_trans (gle j jt)) // ltry.
split=> // [|i it]; first by rewrite fine_ge0.
by rewrite ler_subr_addr -ler_subr_addl -lee_fin fineK //; exact: gle.
Qed.

Lemma rest_le g m : (forall i, i != m -> x i <= x m - g) -> rest x m <= n%:R * expR (- g).
Proof.
move=> h; apply: (@le_trans _ _ (\sum_(i | i != m) expR (- g))).
  apply: ler_sum => i im; rewrite ler_expR ler_subl_addr addrC.
  exact: h.
by rewrite sumr_const -[leLHS]mulr_natl cardC1 card_ord.
Qed.

Lemma rest_eq g m : (forall i, i != m -> x i <= x m - g) ->
  rest x m = n%:R * expR (- g) <-> (forall i, i != m -> x i = x m - g).
Proof.
move=> h; have -> : n%:R * expR (- g) = \sum_(i | i != m) expR (- g).
  by rewrite sumr_const cardC1 card_ord -[RHS]mulr_natl.
split=> [e i im|e]; last by apply: eq_bigr => i im; rewrite e // addrAC subrr add0r.
have d0 j : j != m -> 0 <= expR (- g) - expR (x j - x m).
  by move=> jm; rewrite subr_ge0 ler_expR ler_subl_addr addrC; exact: h.
have : \sum_(j | j != m) (expR (- g) - expR (x j - x m)) = 0 by rewrite sumrB -e subrr.
move=> /(psumr_eq0P d0)/(_ i im)/eqP; rewrite subr_eq0 => /eqP/expR_inj ->.
by rewrite [RHS]addrC subrK.
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

Lemma frac_inj (R : realFieldType) (a b : R) : 0 <= a -> 0 <= b ->
  (a / (1 + a) == b / (1 + b)) = (a == b).
Proof.
have pos w : 0 <= w -> 1 + w != 0 :> R by move=> w0; rewrite gt_eqF // ltr_paddr.
move=> /pos a0 /pos b0.
rewrite eqr_div // !mulrDr !mulr1 [b * a]mulrC.
exact: (inj_eq (addIr _)).
Qed.

(* [statement:softmax_saturation] *)
Theorem softmax_saturation (R : realType) (n : nat) (z : 'I_n.+1 -> \bar R)
    (H_finite_logits : finite_logits z)
    (H_two_or_more_logits : two_or_more_logits n.+1)
    (r := saturation z) :
  [/\ 0 < 1 - s_max z, 1 - s_max z <= r / (1 + r), r / (1 + r) < r &
      1 - s_max z = r / (1 + r) <-> forall i, i != top z -> z i = (z (top z) - gap z)%E].
(* [statement:softmax_saturation] *)
(* [proof:softmax_saturation] *)
Proof.
have [x zx] := finite_logitsE H_finite_logits; rewrite /r /saturation zx.
set y := fun k => _; have [gf g0 gap_le] := gapE x H_two_or_more_logits.
have r0 : 0 < n%:R * expR (- fine (gap y)) by rewrite mulr_gt0 ?expR_gt0 ?ltr0n.
split.
- rewrite subr_gt0 s_maxE -softmaxE; exact: softmax_simplex_below_one.
- rewrite s_maxE one_minus_softmaxr frac_le ?rest_ge0 //.
  exact: rest_le.
- by rewrite ltr_pdivr_mulr ?ltr_paddl ?ltW // ltr_pmulr // ltr_addl.
- have eqE i : y i = (y (top y) - gap y)%E <-> x i = x (top y) - fine (gap y).
    by rewrite -[X in (_ - X)%E](fineK gf) -EFinB; split=> [[]|e] //; rewrite /y e.
  rewrite s_maxE one_minus_softmaxr; split=> [/eqP|h].
    rewrite frac_inj ?rest_ge0 ?ltW // => /eqP e i it; apply/eqE.
    exact: (rest_eq gap_le).1.
  by congr (_ / (1 + _)); apply/(rest_eq gap_le) => i it; apply/eqE/h.
Qed.
(* [proof:softmax_saturation] *)

(* equality at (gap, 0, ..., 0) *)
(* [statement:softmax_saturation_attained] *)
Theorem softmax_saturation_attained (R : realType) (n : nat) (D : R) (D0 : 0 <= D)
    (z : 'I_n.+2 -> \bar R := fun k => (if k == ord0 then D else 0)%:E)
    (r := saturation z) :
  1 - s_max z = r / (1 + r).
(* [statement:softmax_saturation_attained] *)
(* [proof:softmax_saturation_attained] *)
Proof.
have zE k : z k = ((if k == ord0 then D else 0) : R)%:E by [].
have zf : finite_logits z by [].
have topD : z (top z) = D%:E.
  apply/eqP; rewrite eq_le; apply/andP; split; last exact: (le_top z ord0).
  by rewrite zE lee_fin; case: ifP.
have z0 i : i != top z -> z i = 0%E.
  move=> it; rewrite zE; case: eqP => // i0.
  by rewrite -topD zE -i0 eq_sym (negbTE it).
have gapD : gap z = D%:E.
  have step i : i != top z -> (z (top z) - z i = D%:E)%E.
    by move=> it; rewrite topD z0 // sube0.
  have [j jt] := other_index (top z) (isT : two_or_more_logits n.+2).
  apply/eqP; rewrite eq_le; apply/andP; split.
    by rewrite -(step j jt); exact: bigmin_le_cond.
  by apply: le_bigmin => [|i it]; [exact: leey | rewrite step].
have [_ _ _ [_ h]] := softmax_saturation zf (isT : two_or_more_logits n.+2).
by apply: h => i it; rewrite z0 // topD gapD -EFinB subrr.
Qed.
(* [proof:softmax_saturation_attained] *)

(* the limit, for infinite logits too *)
Section Limit.
Variables (R : realType) (n : nat) (z : 'I_n.+1 -> \bar R).
Let m := top z.
Hypothesis um : unique_maximum z.

Let mN : z m != -oo%E. Proof. by case: um. Qed.
Let below_top k : k != m -> (z k < z m)%E. Proof. by case: um => _; exact. Qed.

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
  move=> km; have := below_top km; rewrite xm /x -/m zm; case: (z k) => //= _.
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
  by move=> km; apply/eqP => zk; have := below_top km; rewrite zk ltNge leey.
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
    (H_unique_maximum : unique_maximum z) (i : 'I_n.+1) :
  (fun t : R => softmax (scaled t z) i) @ +oo --> ((i == top z)%:R : R).
(* [statement:softmax_saturation_limit] *)
(* [proof:softmax_saturation_limit] *)
Proof. exact: saturation_limit. Qed.
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
  unique_maximum z /\ (fun t : R => softmax (scaled t z) ord0) @ +oo --> (1 : R).
(* [statement:softmax_saturation_limit_instance] *)
(* [proof:softmax_saturation_limit_instance] *)
Proof.
have t0 : top z = ord0.
  have := le_top z ord0; rewrite /z /= lee_fin.
  by case: eqP => [->//|_]; rewrite ler10.
have um : unique_maximum z.
  by split=> [|i]; rewrite t0 // /z => /negbTE ->; rewrite eqxx lte_fin ltr01.
by split=> //; have := @softmax_saturation_limit R 1 z um ord0; rewrite t0 eqxx.
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
  ~ (forall i, (fun t : R => softmax (scaled t z) i) @ +oo --> ((i == top z)%:R : R)).
(* [statement:softmax_saturation_limit_without_unique_maximum] *)
(* [proof:softmax_saturation_limit_without_unique_maximum] *)
Proof.
move=> /(_ (top z)); rewrite eqxx (_ : (fun t => _) = cst 2%:R^-1); last first.
  apply/funext => t /=; have [_ h] := softmax_simplex_instance R 1.
  by rewrite -(h (top z)); congr softmax; apply/funext => k; rewrite /scaled mule0.
move=> /(cvg_lim (@Rhausdorff R)); rewrite lim_cst; last exact: Rhausdorff.
by move=> /eqP; rewrite invr_eq1 pnatr_eq1.
Qed.
(* [proof:softmax_saturation_limit_without_unique_maximum] *)
