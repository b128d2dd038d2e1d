From mathcomp Require Import all_ssreflect ssralg ssrnum zmodp matrix.
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp.analysis Require Import reals ereal signed topology normedtype sequences derive.
From mathcomp.analysis Require Import realfun exp.
From rootdk.theory Require Import simplex softmax.
From rootdk.softmax Require Import softmax_jacobian jacobian_structure.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Def Num.Theory.
Import numFieldNormedType.Exports.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

(* Step 19. dL/dz = J dL/ds *)

Section Curves.
Variables (R : realType) (m n : nat).
Implicit Types (c : R -> 'M[R]_(m.+1, n.+1)) (L : 'M[R]_(m.+1, n.+1) -> R).

Definition differentiable_loss L (s : 'M[R]_(m.+1, n.+1)) := differentiable L s.

(* the gradient of L at s, a matrix of the shape of s *)
Definition gradient L s : 'M[R]_(m.+1, n.+1) := \matrix_(i, j) 'd L s (delta_mx i j).

Lemma differential_gradient L s (v : 'M[R]_(m.+1, n.+1)) : differentiable L s ->
  'd L s v = \sum_i \sum_j gradient L s i j * v i j.
Proof.
move=> dL; rewrite {1}[v]matrix_sum_delta linear_sum; apply: eq_bigr => i _.
by rewrite linear_sum; apply: eq_bigr => j _; rewrite linearZ mxE /= mulrC.
Qed.

Lemma is_derive_scale (V : normedModType R) (f : R -> R) (v : V) (t df : R) :
  is_derive t 1 f df -> is_derive t 1 (fun t => f t *: v) (df *: v).
Proof.
move=> fd; have fdiff : differentiable f t by apply/derivable1_diffP; exact: ex_derive.
have [gdiff gval] := is_diff_scalel (f t) v.
have comp : differentiable (( *:%R ^~ v) \o f) t by exact: differentiable_comp.
apply: DeriveDef; first exact: diff_derivable comp.
rewrite (deriveE _ comp) diff_comp //= gval -deriveE //.
by rewrite (@derive_val _ _ _ _ _ _ _ fd).
Qed.

(* a curve of matrices is derivable when its entries are *)
Lemma is_derive_matrix c (d : 'M[R]_(m.+1, n.+1)) (t : R) :
  (forall i j, is_derive t 1 (fun t => c t i j) (d i j)) -> is_derive t 1 c d.
Proof.
move=> h; rewrite (_ : c = \sum_i \sum_j (fun t => c t i j *: delta_mx i j)); last first.
  apply/funext => r; rewrite fct_sumE [LHS]matrix_sum_delta; apply: eq_bigr => i _.
  by rewrite fct_sumE.
rewrite [d]matrix_sum_delta; apply: is_derive_sum => i; apply: is_derive_sum => j.
exact: is_derive_scale.
Qed.

(* d/dt L(c(t)) = sum of the gradient's entries times those of c'(t) *)
Lemma is_derive_loss L c (d : 'M[R]_(m.+1, n.+1)) (t : R) :
  differentiable L (c t) -> is_derive t 1 c d ->
  is_derive t 1 (fun t => L (c t)) (\sum_i \sum_j gradient L (c t) i j * d i j).
Proof.
move=> dL cd; have cdiff : differentiable c t by apply/derivable1_diffP; exact: ex_derive.
have comp : differentiable (L \o c) t by exact: differentiable_comp.
apply: DeriveDef; first exact: diff_derivable comp.
rewrite (deriveE _ comp) diff_comp //= -differential_gradient //.
by congr ('d L _ _); rewrite -deriveE //; exact: (@derive_val _ _ _ _ _ _ _ cd).
Qed.
End Curves.

Section Rows.
Variables (R : realType) (n : nat).

(* sum_k g_k J_kj = s_j sum_k s_k (g_j - g_k) *)
Lemma jac_vjp (s g : 'I_n.+1 -> R) j : weights_sum_to_one s ->
  \sum_k g k * jac s k j = s j * \sum_k s k * (g j - g k).
Proof.
move=> s1; have -> : \sum_k s k * (g j - g k) = g j - \sum_k s k * g k.
  by under eq_bigr do rewrite mulrBr; rewrite sumrB -mulr_suml s1 mul1r.
rewrite mulrBr mulr_sumr [s j * g j]mulrC -(sum_delta j (fun k => g k * s k)) -sumrB.
apply: eq_bigr => k _; rewrite mxE mulrBr mulrBr [k == j]eq_sym; congr (_ - _).
  by rewrite [RHS]mulrC -mulrA.
by rewrite [RHS]mulrC [s k * g k]mulrC -mulrA.
Qed.
End Rows.

(* [statement:softmax_chain_rule] *)
Theorem softmax_chain_rule (R : realType) (n : nat) (z : 'I_n.+1 -> \bar R)
    (L : 'rV[R]_n.+1 -> R)
    (H_finite_logits : finite_logits z)
    (H_differentiable_loss : differentiable_loss L (softmax_row z))
    (j : 'I_n.+1) (s := softmax z) (g := fun k => gradient L (softmax_row z) 0 k) :
  [/\ is_derive (0 : R) 1 (fun t => L (softmax_row (moved z (unit_direction R j) t)))
        (\sum_k (jac s)^T j k * g k),
      \sum_k (jac s)^T j k * g k = \sum_k jac s j k * g k
    & \sum_k jac s j k * g k = s j * \sum_k s k * (g j - g k)].
(* [statement:softmax_chain_rule] *)
(* [proof:softmax_chain_rule] *)
Proof.
have s1 : weights_sum_to_one s.
  have [x zx] := finite_logitsE H_finite_logits.
  by rewrite /s zx /weights_sum_to_one (eq_bigr _ (fun i _ => softmaxE x i)) softmaxr_sum1.
have symE : \sum_k (jac s)^T j k * g k = \sum_k jac s j k * g k by rewrite jac_sym.
split=> //; last first.
  by rewrite -symE -jac_vjp //; apply: eq_bigr => k _; rewrite mxE mulrC.
pose c t := softmax_row (moved z (unit_direction R j) t).
have c0 : c 0 = softmax_row z.
  by apply/rowP => k; rewrite !mxE; congr softmax; apply/funext => l; rewrite /moved mul0r adde0.
have cd : is_derive (0 : R) 1 c (\row_k jac s k j).
  apply: is_derive_matrix => i k; rewrite (_ : (fun t => _) =
    fun t => softmax (moved z (unit_direction R j) t) k); last by apply/funext => t; rewrite mxE.
  by rewrite mxE; exact: softmax_jacobian.
have dL : differentiable L (c 0) by rewrite c0.
apply: (is_derive_eq (is_derive_loss dL cd)); rewrite big_ord1 c0.
by apply: eq_bigr => k _; rewrite [X in _ * X]mxE [(jac s)^T j k]mxE mulrC.
Qed.
(* [proof:softmax_chain_rule] *)

(* the loss s_1 at two equal logits: its derivative by z_1 is 1/4 *)
Section Examples.
Variable R : realType.

Lemma linear_loss : differentiable_loss (fun s : 'rV[R]_2 => s 0 0) (softmax_row (fun=> 0%E)).
Proof. exact: differentiable_coord. Qed.

Lemma linear_gradient s k : gradient (fun s : 'rV[R]_2 => s 0 0) s 0 k = (k == 0)%:R.
Proof.
rewrite mxE.
have lin : linear (fun s : 'rV[R]_2 => s 0 0 : R^o) by move=> a u v; rewrite !mxE.
have := @diff_lin _ _ _ (Linear lin) s.
move=> dl; rewrite (_ : 'd _ s = Linear lin :> (_ -> _)); first by rewrite /= mxE eqxx /= eq_sym.
by apply: dl => u; exact/differentiable_continuous/differentiable_coord.
Qed.

(* [statement:softmax_chain_rule_instance] *)
Example softmax_chain_rule_instance (z : 'I_2 -> \bar R := fun=> 0%E)
    (L := fun s : 'rV[R]_2 => s 0 0) :
  [/\ finite_logits z, differentiable_loss L (softmax_row z)
    & is_derive (0 : R) 1 (fun t => L (softmax_row (moved z (unit_direction R 0) t)))
        (jac (softmax z) 0 0)].
(* [statement:softmax_chain_rule_instance] *)
(* [proof:softmax_chain_rule_instance] *)
Proof.
have zf : finite_logits z by [].
have dL : differentiable_loss L (softmax_row z) := linear_loss.
split=> //; have [h _ _] := softmax_chain_rule zf dL 0; apply: (is_derive_eq h).
rewrite jac_sym -[RHS](sum_delta (0 : 'I_2) (fun k => jac (softmax z) 0 k)).
by apply: eq_bigr => k _; rewrite linear_gradient mulrC eq_sym.
Qed.
(* [proof:softmax_chain_rule_instance] *)

(* (+oo, +oo): the derivative is 0, where the formula says 1/4 *)
(* [statement:softmax_chain_rule_without_finite_logits] *)
Example softmax_chain_rule_without_finite_logits (z : 'I_2 -> \bar R := fun=> +oo%E)
    (L := fun s : 'rV[R]_2 => s 0 0) (g := fun k => gradient L (softmax_row z) 0 k) :
  [/\ differentiable_loss L (softmax_row z),
      is_derive (0 : R) 1 (fun t => L (softmax_row (moved z (unit_direction R 0) t))) 0
    & \sum_k jac (softmax z) 0 k * g k = 4%:R^-1].
(* [statement:softmax_chain_rule_without_finite_logits] *)
(* [proof:softmax_chain_rule_without_finite_logits] *)
Proof.
split; first exact: differentiable_coord.
  rewrite (_ : (fun t => _) = cst 2%:R^-1); first exact: is_derive_cst.
  by apply/funext => t; rewrite /L mxE softmax_plus_infinity.
rewrite (eq_bigr (fun k => (0 == k)%:R * jac (softmax z) 0 k)) => [|k _].
  by rewrite sum_delta mxE eqxx softmax_plus_infinity // half_times_half.
by rewrite /g linear_gradient mulrC eq_sym.
Qed.
(* [proof:softmax_chain_rule_without_finite_logits] *)
(* L = u^2 v/(u^2 + v^2) with (u, v) = s - (1/2, 1/2), at z = 0: both partial derivatives of L are
   0, and along the simplex L = -u/2 has derivative -1/8 by z_1 *)
(* [statement:softmax_chain_rule_without_differentiable_loss] *)
Example softmax_chain_rule_without_differentiable_loss (z : 'I_2 -> \bar R := fun=> 0%E)
    (u := fun s : 'rV[R]_2 => s 0 0 - 2%:R^-1) (v := fun s : 'rV[R]_2 => s 0 1 - 2%:R^-1)
    (L := fun s => u s ^+ 2 * v s / (u s ^+ 2 + v s ^+ 2)) :
  [/\ finite_logits z,
      forall k, is_derive (0 : R) 1 (fun t => L (softmax_row z + t *: delta_mx 0 k)) 0
    & is_derive (0 : R) 1 (fun t => L (softmax_row (moved z (unit_direction R 0) t)))
        (- 8%:R^-1)].
(* [statement:softmax_chain_rule_without_differentiable_loss] *)
(* [proof:softmax_chain_rule_without_differentiable_loss] *)
Proof.
have half (k : 'I_2) : softmax z k = 2%:R^-1.
  by rewrite (softmaxE (fun=> 0)) /softmaxr expR0 !big_ord_recl big_ord0 addr0 mul1r.
split=> // [k|].
  rewrite (_ : (fun t => _) = cst 0); first exact: is_derive_cst.
  apply/funext => t; rewrite /L /u /v !mxE !half /= [_ + _ - _]addrAC subrr add0r.
  rewrite [_ + _ - _]addrAC subrr add0r.
  by case: k => -[|[|//]] hk; rewrite -!val_eqE /= ?mulr0 ?expr0n ?mul0r ?mulr0 ?mul0r.
have two : 2%:R != 0 :> R by rewrite pnatr_eq0.
have d := softmax_jacobian (z := z) (fun=> isT) 0 0.
rewrite (_ : (fun t => _) = - 2%:R^-1 *:
  (fun t => softmax (moved z (unit_direction R 0) t) 0 - 2%:R^-1)); last first.
  apply/funext => t; pose c := softmax (moved z (unit_direction R 0) t).
  have c1 : c 1 - 2%:R^-1 = - (c 0 - 2%:R^-1).
    have half2 : 2%:R^-1 + 2%:R^-1 = 1 :> R by rewrite -mulr2n -[LHS]mulr_natr mulVf.
    have zt : finite_logits (moved z (unit_direction R 0) t) by [].
    have [x zx] := finite_logitsE zt.
    have : c 0 + c 1 = 1.
      rewrite /c zx !softmaxE -(softmaxr_sum1 x) !big_ord_recl big_ord0 addr0.
      by congr (_ + softmaxr _ _); exact: val_inj.
    move=> c01; apply/eqP.
    by rewrite opprB subr_eq addrAC half2 eq_sym subr_eq [c 1 + c 0]addrC c01.
  rewrite /L /u /v !mxE -/(c 0) -/(c 1) c1; set e := c 0 - _.
  transitivity (- (2%:R^-1 * e)); last by rewrite [RHS]scaleNr.
  rewrite sqrrN -mulr2n mulrN mulNr; congr (- _).
  have [e0|e0] := eqVneq e 0; first by rewrite e0 !mulr0 mul0r.
  have e2 : e ^+ 2 != 0 by rewrite expf_neq0.
  by rewrite -[e ^+ 2 *+ 2]mulr_natl invfM [LHS]mulrAC mulrCA divff // mulr1.
have dB := @is_deriveB _ _ _ (fun t => softmax (moved z (unit_direction R 0) t) 0)
  (cst 2%:R^-1) 0 1 _ _ d (is_derive_cst _ _ _).
apply: (is_derive_eq (@is_deriveZ _ _ _ _ (- 2%:R^-1) 0 1 _ dB)).
rewrite subr0 mxE eqxx half half_times_half scaleNr; congr (- _).
by transitivity (2%:R^-1 * 4%:R^-1 : R); rewrite // -invfM -natrM.
Qed.
(* [proof:softmax_chain_rule_without_differentiable_loss] *)
End Examples.
