From mathcomp Require Import all_ssreflect ssralg ssrnum matrix.
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp.analysis Require Import reals ereal sequences exp.
From rootdk.theory Require Import simplex.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* softmax over extended logits: a logit of -oo has weight 0, and logits of +oo share all of it *)

Section Softmax.
Variables (R : realType) (n : nat).
Implicit Types (z : 'I_n -> \bar R) (x : 'I_n -> R).

Definition logit_weight z i : R :=
  if [exists k, z k == +oo%E] then (z i == +oo%E)%:R
  else if z i is y%:E then expR y else 0.

Definition softmax z i : R := logit_weight z i / \sum_k logit_weight z k.

Definition softmax_row z : 'rV[R]_n := \row_i softmax z i.

Definition finite_logits z := forall i, z i \is a fin_num.

Definition two_or_more_logits (m : nat) := (1 < m)%N.

(* the same for real logits *)
Definition softmaxr x i : R := expR (x i) / \sum_k expR (x k).

Lemma logit_weight_ge0 z i : 0 <= logit_weight z i.
Proof.
rewrite /logit_weight; case: ifP => _; first exact: ler0n.
by case: (z i) => // r; exact/ltW/expR_gt0.
Qed.

Lemma finite_weight x i : logit_weight (fun k => (x k)%:E) i = expR (x i).
Proof. by rewrite /logit_weight; case: existsP => // -[k /eqP]. Qed.

Lemma softmaxE x i : softmax (fun k => (x k)%:E) i = softmaxr x i.
Proof. by rewrite /softmax finite_weight; under eq_bigr do rewrite finite_weight. Qed.

Lemma finite_logitsE z : finite_logits z -> {x | z = fun k => (x k)%:E}.
Proof. by move=> zf; exists (fine \o z); apply/funext => k /=; rewrite fineK. Qed.

Lemma finite_real x : finite_logits (fun k => (x k)%:E).
Proof. by []. Qed.
End Softmax.

(* with two or more indices there is another one *)
Lemma other_index n (i : 'I_n.+1) : two_or_more_logits n.+1 -> exists j, j != i.
Proof.
rewrite /two_or_more_logits ltnS => n0; case: (eqVneq i ord0) => [->|i0]; last first.
  by exists ord0; rewrite eq_sym.
by exists ord_max; rewrite -val_eqE /= -lt0n.
Qed.

Section NonEmpty.
Variables (R : realType) (n : nat).
Implicit Types (z : 'I_n.+1 -> \bar R) (x : 'I_n.+1 -> R).

Lemma sum_exp_gt0 x : 0 < \sum_k expR (x k).
Proof.
by rewrite big_ord_recl ltr_paddr ?expR_gt0 //; apply: sumr_ge0 => i _; exact/ltW/expR_gt0.
Qed.

Lemma softmaxr_gt0 x i : 0 < softmaxr x i.
Proof. by rewrite divr_gt0 ?expR_gt0 ?sum_exp_gt0. Qed.

Lemma softmaxr_sum1 x : \sum_i softmaxr x i = 1.
Proof. by rewrite -big_distrl /= divff // gt_eqF ?sum_exp_gt0. Qed.

Lemma softmaxr_simplex x : simplex_point (softmaxr x).
Proof. by split=> [i|]; [exact/ltW/softmaxr_gt0 | exact: softmaxr_sum1]. Qed.

(* the index of a largest logit, the gap to the runner-up, and the largest weight *)
Definition top z : 'I_n.+1 := [arg max_(i > ord0) z i]%O.

Definition gap z : \bar R := \big[Order.min/+oo%E]_(i | i != top z) (z (top z) - z i)%E.

Definition s_max z : R := \big[Order.max/0]_i softmax z i.

Definition unique_maximum z :=
  z (top z) != -oo%E /\ forall i, i != top z -> (z i < z (top z))%E.

Lemma le_top z i : (z i <= z (top z))%E.
Proof. by rewrite /top; case: arg_maxP => // j _ h; exact: h. Qed.

Lemma softmaxr_le x i j : (softmaxr x i <= softmaxr x j) = (x i <= x j).
Proof. by rewrite ler_pmul2r ?invr_gt0 ?sum_exp_gt0 // ler_expR. Qed.

Lemma s_maxE x : s_max (fun k => (x k)%:E) = softmaxr x (top (fun k => (x k)%:E)).
Proof.
apply/eqP; rewrite eq_le; apply/andP; split.
  apply: bigmax_le => [|i _]; first exact/ltW/softmaxr_gt0.
  by rewrite softmaxE softmaxr_le -lee_fin; exact: (le_top (fun k => (x k)%:E)).
by rewrite -softmaxE; exact: le_bigmax.
Qed.

(* 1 - s_max = rest/(1 + rest), rest the sum of e^{z_i - z_top} over the others *)
Definition rest x m := \sum_(i | i != m) expR (x i - x m).

Lemma rest_ge0 x m : 0 <= rest x m.
Proof. by apply: sumr_ge0 => i _; exact/ltW/expR_gt0. Qed.

Lemma softmaxr_rest x m : softmaxr x m = (1 + rest x m)^-1.
Proof.
have e0 : expR (x m) != 0 by rewrite gt_eqF ?expR_gt0.
rewrite /softmaxr -[LHS]invrK invf_div; congr (_^-1).
rewrite (bigD1 m) //= mulrDl divff //; congr (_ + _).
by rewrite mulr_suml; apply: eq_bigr => i _; rewrite expRD expRN.
Qed.

Lemma one_minus_softmaxr x m : 1 - softmaxr x m = rest x m / (1 + rest x m).
Proof.
have r0 : 1 + rest x m != 0 by rewrite gt_eqF // ltr_paddr ?rest_ge0 ?ltr01.
by rewrite softmaxr_rest -[X in _ - X]mul1r -{1}(divff r0) -mulrBl addrAC subrr add0r.
Qed.
End NonEmpty.
