From mathcomp Require Import all_ssreflect ssralg ssrnum zmodp matrix.
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp.analysis Require Import reals ereal signed topology normedtype sequences exp.
From rootdk.theory Require Import simplex softmax.
From rootdk.softmax Require Import softmax_saturation jacobian_structure.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Def Num.Theory.
Import numFieldNormedType.Exports.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

(* Step 17. A saturated softmax has a small Jacobian *)

Section Norms.
Variables (R : realType) (n : nat).

(* largest absolute row sum, Frobenius norm *)
Definition norm_infinity (A : 'M[R]_n) : R := \big[Num.max/0]_i \sum_j `|A i j|.
Definition norm_frobenius (A : 'M[R]_n) : R := Num.sqrt (\sum_i \sum_j A i j ^+ 2).

(* |A v| <= |A|_F |v| *)
Lemma frobenius_norm2 (A : 'M[R]_n) : norm2_le A (norm_frobenius A).
Proof.
move=> v; rewrite sqr_sqrtr; last first.
  by apply: sumr_ge0 => i _; apply: sumr_ge0 => j _; exact: sqr_ge0.
rewrite /sqnorm mulr_suml; apply: ler_sum => i _; rewrite mxE.
have := @weighted_cauchy R _ (fun=> 1) (fun j => A i j) (fun j => v j 0) (fun=> ler01).
under eq_bigr do rewrite mul1r.
by under [X in _ <= X * _]eq_bigr do rewrite mul1r; under [X in _ <= _ * X]eq_bigr do rewrite mul1r.
Qed.

Variable s : 'I_n -> R.
Hypothesis sp : simplex_point s.

Let s0 i : 0 <= s i. Proof. by case: sp. Qed.

Let s_le1 i : s i <= 1.
Proof. by case: sp => _ <-; rewrite (bigD1 i) //= ler_addl sumr_ge0. Qed.

Let others i : \sum_(j | j != i) s j = 1 - s i.
Proof. by case: sp => _ <-; rewrite [in RHS](bigD1 i) //= addrC addKr. Qed.

Lemma jac_row_sum i : \sum_j `|jac s i j| = 2%:R * s i * (1 - s i).
Proof.
rewrite (bigD1 i) //= mxE eqxx ger0_norm ?mulr_ge0 ?subr_ge0 //.
rewrite (eq_bigr (fun j => s i * s j)) => [|j ji].
  by rewrite -mulr_sumr others -mulrA mulr_natl mulr2n.
by rewrite mxE eq_sym (negbTE ji) sub0r mulrN normrN ger0_norm ?mulr_ge0.
Qed.

Lemma jac_trace : \tr (jac s) = \sum_i s i * (1 - s i).
Proof. by apply: eq_bigr => i _; rewrite mxE eqxx. Qed.

(* J_ij^2 <= J_ii J_jj *)
Lemma jac_entry_sqr i j : jac s i j ^+ 2 <= (s i * (1 - s i)) * (s j * (1 - s j)).
Proof.
have [->|ij] := eqVneq i j; first by rewrite mxE eqxx expr2.
rewrite mxE (negbTE ij) sub0r mulrN sqrrN expr2 [leRHS]mulrACA ler_wpmul2l ?mulr_ge0 //.
have le i' j' : i' != j' -> s i' <= 1 - s j'.
  by move=> d; rewrite -others (bigD1 i') //= ler_addl sumr_ge0.
by rewrite mulrC ler_pmul ?le // eq_sym.
Qed.

Lemma frobenius_le_trace : norm_frobenius (jac s) <= \tr (jac s).
Proof.
have t0 : 0 <= \tr (jac s).
  by rewrite jac_trace; apply: sumr_ge0 => i _; rewrite mulr_ge0 ?subr_ge0.
rewrite -[leRHS](ger0_norm t0) -sqrtr_sqr; apply: ler_wsqrtr; rewrite jac_trace expr2 mulr_suml.
apply: ler_sum => i _; rewrite mulr_sumr; apply: ler_sum => j _.
exact: jac_entry_sqr.
Qed.

Lemma weight_le m i : s i * (1 - s i) <= 1 - s m.
Proof.
have [->|im] := eqVneq i m; first by rewrite ler_pimull ?subr_ge0.
rewrite -(others m) (bigD1 i) //= -[leLHS]addr0 ler_add ?sumr_ge0 //.
by rewrite ler_pimulr // ler_subl_addr ler_addl.
Qed.

Lemma trace_le m : \tr (jac s) <= 2%:R * (1 - s m).
Proof.
rewrite jac_trace (bigD1 m) //= mulr_natl mulr2n ler_add ?weight_le //.
rewrite -others; apply: ler_sum => i _.
by rewrite ler_pimulr // ler_subl_addr ler_addl.
Qed.
End Norms.

Lemma softmax_point (R : realType) (n : nat) (z : 'I_n.+1 -> \bar R) :
  finite_logits z -> simplex_point (softmax z).
Proof.
move=> zf; have [x ->] := finite_logitsE zf.
by rewrite (_ : softmax _ = softmaxr x); [exact: softmaxr_simplex | apply/funext/softmaxE].
Qed.

Lemma s_max_top (R : realType) (n : nat) (z : 'I_n.+1 -> \bar R) :
  finite_logits z -> s_max z = softmax z (top z).
Proof. by move=> zf; have [x ->] := finite_logitsE zf; rewrite s_maxE softmaxE. Qed.

(* [statement:saturated_jacobian] *)
Theorem saturated_jacobian (R : realType) (n : nat) (z : 'I_n.+1 -> \bar R)
    (H_finite_logits : finite_logits z)
    (H_two_or_more_logits : two_or_more_logits n.+1)
    (s := softmax z) (r := saturation z) :
  [/\ norm_infinity (jac s) = \big[Num.max/0]_i (2%:R * s i * (1 - s i)),
      0 < norm_infinity (jac s),
      norm_infinity (jac s) <= 2%:R * (1 - s_max z)
    & 2%:R * (1 - s_max z) <= 2%:R * r].
(* [statement:saturated_jacobian] *)
(* [proof:saturated_jacobian] *)
Proof.
have sp := softmax_point H_finite_logits.
have [s1 s2 s3 _] := softmax_saturation H_finite_logits H_two_or_more_logits.
have rowE i := jac_row_sum sp i.
have normE : norm_infinity (jac s) = \big[Num.max/0]_i (2%:R * s i * (1 - s i)).
  by apply: eq_bigr => i _; exact: rowE.
have top1 : 0 < 1 - s (top z) by rewrite /s -s_max_top.
have top0 : 0 < s (top z).
  have [x zx] := finite_logitsE H_finite_logits.
  by rewrite (_ : s = softmaxr x) ?softmaxr_gt0 // /s zx; exact/funext/softmaxE.
split=> //.
- rewrite normE; apply: (@lt_le_trans _ _ (2%:R * s (top z) * (1 - s (top z)))).
    by apply: mulr_gt0 => //; exact: mulr_gt0.
  exact: le_bigmax.
- rewrite normE s_max_top //; apply: bigmax_le => [|i _].
    by rewrite mulr_ge0 // ltW.
  by rewrite -mulrA ler_pmul2l ?ltr0n //; exact: weight_le.
- by rewrite ler_pmul2l ?ltr0n // (le_trans s2) // ltW.
Qed.
(* [proof:saturated_jacobian] *)

(* weights sum to 1, or are all 0 where every logit is -oo *)
Lemma softmax_point_or_zero (R : realType) (n : nat) (z : 'I_n.+1 -> \bar R) :
  simplex_point (softmax z) \/ (forall i, softmax z i = 0).
Proof.
have [W0|W0] := eqVneq (\sum_k logit_weight z k) 0; [right=> i|left; split=> [i|]].
- by rewrite /softmax W0 invr0 mulr0.
- by rewrite divr_ge0 ?logit_weight_ge0 // sumr_ge0 // => k _; exact: logit_weight_ge0.
- by rewrite /weights_sum_to_one -mulr_suml divff.
Qed.

(* [statement:saturated_jacobian_norms] *)
Theorem saturated_jacobian_norms (R : realType) (n : nat) (z : 'I_n.+1 -> \bar R)
    (s := softmax z) :
  [/\ norm2_le (jac s) (norm_frobenius (jac s)),
      norm_frobenius (jac s) <= \tr (jac s)
    & \tr (jac s) <= 2%:R * (1 - s_max z)].
(* [statement:saturated_jacobian_norms] *)
(* [proof:saturated_jacobian_norms] *)
Proof.
split; first exact: frobenius_norm2.
  have [sp|s0] := softmax_point_or_zero z; first exact: frobenius_le_trace.
  have -> : jac s = 0 by apply/matrixP => i j; rewrite !mxE /s s0 mul0r.
  rewrite mxtrace0 /norm_frobenius big1 ?sqrtr0 // => i _.
  by rewrite big1 // => j _; rewrite mxE expr0n.
have half i : \tr (jac s) <= 2%:R * (1 - s i) /\ 0 <= s i.
  have [sp|s0] := softmax_point_or_zero z; first by split; [exact: trace_le | case: sp].
  have -> : \tr (jac s) = 0 by rewrite jac_trace big1 // => j _; rewrite /s s0 mul0r.
  by rewrite /s s0 subr0 mulr1 ler0n lexx.
have two : 0 < 2%:R :> R by rewrite ltr0n.
have le c : (\tr (jac s) <= 2%:R * (1 - c)) = (c <= 1 - \tr (jac s) / 2%:R).
  by rewrite mulrC -ler_pdivr_mulr // ler_subr_addr addrC -ler_subr_addr.
rewrite le; apply: bigmax_le => [|i _]; last by rewrite -le; case: (half i).
by have [] := half ord0; rewrite le => h s0; exact: le_trans s0 h.
Qed.
(* [proof:saturated_jacobian_norms] *)

(* [statement:saturated_jacobian_limit] *)
Theorem saturated_jacobian_limit (R : realType) (n : nat) (z : 'I_n.+1 -> \bar R)
    (H_unique_maximum : unique_maximum z) (i j : 'I_n.+1) :
  (fun t : R => jac (softmax (scaled t z)) i j) @ +oo --> (0 : R).
(* [statement:saturated_jacobian_limit] *)
(* [proof:saturated_jacobian_limit] *)
Proof.
have lim k := @softmax_saturation_limit _ _ z H_unique_maximum k.
have -> : (0 : R) = (i == top z)%:R * ((i == j)%:R - (j == top z)%:R).
  have [->|_] := eqVneq i (top z); last by rewrite mul0r.
  by rewrite mul1r [j == _]eq_sym subrr.
rewrite (_ : (fun t => _) = fun t => softmax (scaled t z) i *
  ((i == j)%:R - softmax (scaled t z) j)); last by apply/funext => t; rewrite mxE.
apply: cvgM; first exact: lim.
apply: cvgB; [exact: cvg_cst | exact: lim].
Qed.
(* [proof:saturated_jacobian_limit] *)

(* (1, 0) *)
(* [statement:saturated_jacobian_instance] *)
Example saturated_jacobian_instance (R : realType)
    (z : 'I_2 -> \bar R := fun k => (if k == ord0 then 1 else 0)%:E) :
  [/\ finite_logits z, two_or_more_logits 2 & 0 < norm_infinity (jac (softmax z))].
(* [statement:saturated_jacobian_instance] *)
(* [proof:saturated_jacobian_instance] *)
Proof. by split=> //; have [] := @saturated_jacobian R 1 z. Qed.
(* [proof:saturated_jacobian_instance] *)

(* [statement:saturated_jacobian_limit_instance] *)
Example saturated_jacobian_limit_instance (R : realType)
    (z : 'I_2 -> \bar R := fun k => (if k == ord0 then 1 else 0)%:E) :
  unique_maximum z /\
  (fun t : R => jac (softmax (scaled t z)) ord0 ord0) @ +oo --> (0 : R).
(* [statement:saturated_jacobian_limit_instance] *)
(* [proof:saturated_jacobian_limit_instance] *)
Proof.
have [um _] := softmax_saturation_limit_instance R.
by split=> //; exact: saturated_jacobian_limit.
Qed.
(* [proof:saturated_jacobian_limit_instance] *)

(* (0, -oo) and a single logit are one-hot: J = 0 *)
Lemma norm_infinity0 (R : realType) (n : nat) (A : 'M[R]_n) : A = 0 -> norm_infinity A = 0.
Proof.
move=> ->; rewrite /norm_infinity; apply: (big_ind (fun x => x = 0)) => // [x y -> ->|i _].
  by rewrite maxxx.
by rewrite big1 // => j _; rewrite mxE normr0.
Qed.

(* [statement:saturated_jacobian_without_finite_logits] *)
Example saturated_jacobian_without_finite_logits (R : realType)
    (z : 'I_2 -> \bar R := fun k => if k == ord0 then 0%E else -oo%E) :
  two_or_more_logits 2 /\ ~ (0 < norm_infinity (jac (softmax z))).
(* [statement:saturated_jacobian_without_finite_logits] *)
(* [proof:saturated_jacobian_without_finite_logits] *)
Proof.
split=> //; rewrite norm_infinity0 ?ltxx //; apply/matrixP => i j.
have sE k : softmax z k = (k == ord0)%:R.
  have w l : logit_weight z l = (l == ord0)%:R.
    rewrite /logit_weight /z; case: existsP => [[l' /eqP]|_]; first by case: ifP.
    by case: ifP => _ //; rewrite expR0.
  by rewrite /softmax w !big_ord_recl big_ord0 !w /= !addr0 divr1.
by rewrite !mxE !sE; case: i j => -[|[|//]] hi [[|[|//]] hj];
  rewrite -!val_eqE /= ?subrr ?mulr0 ?mul0r.
Qed.
(* [proof:saturated_jacobian_without_finite_logits] *)

(* [statement:saturated_jacobian_without_two_or_more_logits] *)
Example saturated_jacobian_without_two_or_more_logits (R : realType)
    (z : 'I_1 -> \bar R := fun=> 0%E) :
  finite_logits z /\ ~ (0 < norm_infinity (jac (softmax z))).
(* [statement:saturated_jacobian_without_two_or_more_logits] *)
(* [proof:saturated_jacobian_without_two_or_more_logits] *)
Proof.
have zf : finite_logits z by [].
split=> //; rewrite norm_infinity0 ?ltxx //; apply/matrixP => i j.
have [_] := softmax_point zf; rewrite /weights_sum_to_one big_ord_recl big_ord0 addr0 => s1.
by rewrite !mxE !ord1 eqxx s1 subrr mulr0.
Qed.
(* [proof:saturated_jacobian_without_two_or_more_logits] *)

(* (0, 0): J stays at 1/4 *)
(* [statement:saturated_jacobian_limit_without_unique_maximum] *)
Example saturated_jacobian_limit_without_unique_maximum (R : realType)
    (z : 'I_2 -> \bar R := fun=> 0%E) :
  ~ ((fun t : R => jac (softmax (scaled t z)) ord0 ord0) @ +oo --> (0 : R)).
(* [statement:saturated_jacobian_limit_without_unique_maximum] *)
(* [proof:saturated_jacobian_limit_without_unique_maximum] *)
Proof.
rewrite (_ : (fun t => _) = cst (jac (softmax z) ord0 ord0)); last first.
  apply/funext => t /=; congr (jac (softmax _) _ _); apply/funext => k.
  by rewrite /scaled mule0.
move=> /(cvg_lim (@Rhausdorff R)); rewrite lim_cst; last exact: Rhausdorff.
rewrite mxE eqxx (softmaxE (fun=> 0)) => /eqP.
rewrite mulf_eq0 gt_eqF ?softmaxr_gt0 //= subr_eq0 /softmaxr expR0 !big_ord_recl big_ord0.
by rewrite addr0 mul1r eq_sym invr_eq1 -[1 + 1]/(2%:R) pnatr_eq1.
Qed.
(* [proof:saturated_jacobian_limit_without_unique_maximum] *)
