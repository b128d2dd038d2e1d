From mathcomp Require Import all_ssreflect ssralg ssrnum zmodp matrix.
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp.analysis Require Import reals ereal signed topology normedtype sequences derive.
From mathcomp.analysis Require Import realfun exp.
From rootdk.theory Require Import simplex softmax.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Def Num.Theory.
Import numFieldNormedType.Exports.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

(* Step 14. The partial derivatives of softmax are the entries of diag(s) - s s^T *)

(* z + t u *)
Definition moved (R : realType) n (z : 'I_n -> \bar R) (u : 'I_n -> R) (t : R) : 'I_n -> \bar R :=
  fun k => (z k + (t * u k)%:E)%E.

Definition unit_direction (R : realType) n (j : 'I_n) : 'I_n -> R := fun k => (k == j)%:R.

Section Derivatives.
Variables (R : realType) (n : nat).
Implicit Types (x u : 'I_n.+1 -> R).

Lemma is_derive_line (a b t : R) : is_derive t 1 (fun t : R => a + t * b) b.
Proof.
rewrite (_ : (fun t : R => _) = cst a + b *: (id : R -> R)).
  by apply: is_derive_eq; rewrite add0r [LHS]mulr1.
by apply/funext => r; rewrite /= [RHS]/GRing.add /= mulrC.
Qed.

Lemma is_derive_exp_line (a b t : R) :
  is_derive t 1 (fun t => expR (a + t * b)) (b * expR (a + t * b)).
Proof.
rewrite mulrC.
exact: (@is_derive1_comp R (@expR R) (fun t => a + t * b) t _ _ (is_derive_expR _)
  (is_derive_line a b t)).
Qed.

Lemma is_derive_sum_exp x u t :
  is_derive t 1 (fun t => \sum_k expR (x k + t * u k)) (\sum_k u k * expR (x k + t * u k)).
Proof.
rewrite (_ : (fun t : R => _) = \sum_(k < n.+1) (fun t => expR (x k + t * u k))); last first.
  by apply/funext => r; rewrite fct_sumE.
by apply: is_derive_sum => k; exact: is_derive_exp_line.
Qed.

(* d/dt s_i(x + t u) = s_i (u_i - sum_j s_j u_j) *)
Lemma is_derive_softmaxr x u i t (s := softmaxr (fun k => x k + t * u k)) :
  is_derive t 1 (fun t => softmaxr (fun k => x k + t * u k) i) (s i * (u i - \sum_j s j * u j)).
Proof.
have Z0 : \sum_k expR (x k + t * u k) != 0 by rewrite gt_eqF ?sum_exp_gt0.
have dV := @is_deriveV R (fun t => \sum_k expR (x k + t * u k)) t _ _ Z0 (is_derive_sum_exp x u t).
have dM := @is_deriveM R _ (fun t => expR (x i + t * u i))
  (fun t => (\sum_k expR (x k + t * u k))^-1) t 1 _ _ (is_derive_exp_line (x i) (u i) t) dV.
rewrite (_ : (fun t => softmaxr _ i) = (fun t => expR (x i + t * u i)) *
   (fun t => (\sum_k expR (x k + t * u k))^-1)); last exact/funext.
apply: (is_derive_eq dM); rewrite /s /softmaxr; set Z := \sum_k expR (x k + t * u k).
set D := \sum_k u k * expR (x k + t * u k); set e := expR (x i + t * u i).
have -> : \sum_j expR (x j + t * u j) / Z * u j = D / Z.
  rewrite mulr_suml; apply: eq_bigr => k _; rewrite mulrAC; congr (_ * _); exact: mulrC.
rewrite /GRing.scale /= mulrBr addrC; congr (_ + _).
  by rewrite mulrC [u i * e]mulrC mulrAC.
rewrite mulNr mulrN; congr (- _).
by rewrite [RHS]mulrACA -invfM -expr2 -[RHS]mulrA [D * _]mulrC.
Qed.
End Derivatives.

(* [statement:softmax_jacobian] *)
Theorem softmax_jacobian (R : realType) (n : nat) (z : 'I_n.+1 -> \bar R)
    (H_finite_logits : finite_logits z) (i j : 'I_n.+1) :
  is_derive (0 : R) 1 (fun t => softmax (moved z (unit_direction R j) t) i)
    (jac (softmax z) i j).
(* [statement:softmax_jacobian] *)
(* [proof:softmax_jacobian] *)
Proof.
have [x zx] := finite_logitsE H_finite_logits; rewrite zx.
rewrite (_ : (fun t => _) = fun t => softmaxr (fun k => x k + t * unit_direction R j k) i).
  apply: (is_derive_eq (is_derive_softmaxr x (unit_direction R j) i 0)).
  rewrite mxE softmaxE /unit_direction.
  rewrite (_ : (fun k => _) = x); last by apply/funext => k; rewrite mul0r addr0.
  rewrite softmaxE -(sum_delta j (softmaxr x)); congr (_ * (_ - _)).
  by apply: eq_bigr => k _; rewrite mulrC eq_sym.
by apply/funext => t; rewrite -softmaxE.
Qed.
(* [proof:softmax_jacobian] *)

(* diag(s) - s s^T *)
(* [statement:softmax_jacobian_matrix] *)
Theorem softmax_jacobian_matrix (R : realType) (n : nat) (z : 'I_n -> \bar R)
    (s : 'rV[R]_n := \row_i softmax z i) :
  jac (softmax z) = diag_mx s - s^T *m s.
(* [statement:softmax_jacobian_matrix] *)
(* [proof:softmax_jacobian_matrix] *)
Proof. exact: jacE. Qed.
(* [proof:softmax_jacobian_matrix] *)

(* along every direction u, not only along the axes: the derivative is J u *)
(* [statement:softmax_jacobian_directional] *)
Theorem softmax_jacobian_directional (R : realType) (n : nat) (z : 'I_n.+1 -> \bar R)
    (H_finite_logits : finite_logits z) (u : 'I_n.+1 -> R) (i : 'I_n.+1) :
  is_derive (0 : R) 1 (fun t => softmax (moved z u t) i) (\sum_j jac (softmax z) i j * u j).
(* [statement:softmax_jacobian_directional] *)
(* [proof:softmax_jacobian_directional] *)
Proof.
have [x zx] := finite_logitsE H_finite_logits; rewrite zx.
rewrite (_ : (fun t => _) = fun t => softmaxr (fun k => x k + t * u k) i).
  apply: (is_derive_eq (is_derive_softmaxr x u i 0)).
  rewrite (_ : (fun k => x k + 0 * u k) = x); last by apply/funext => k; rewrite mul0r addr0.
  rewrite mulrBr mulr_sumr -(sum_delta i (fun j => softmaxr x i * u j)) -sumrB.
  apply: eq_bigr => j _; rewrite mxE !softmaxE mulrBr mulrBl.
  by congr (_ - _); [rewrite mulrCA mulrA | rewrite mulrA].
by apply/funext => t; rewrite -softmaxE.
Qed.
(* [proof:softmax_jacobian_directional] *)

(* the map u -> softmax(x + u) of R^n and its differential at v *)
Section Differential.
Variables (R : realType) (n : nat) (x : 'I_n.+1 -> R).
Implicit Types u v : 'rV[R]_n.+1.

Let at_ v : 'I_n.+1 -> R := fun k => x k + v 0 k.
Let entry i v : R := softmaxr (at_ v) i.

Lemma differentiable_entry i v : differentiable (entry i) v.
Proof.
have dexp k : differentiable (fun v => expR (at_ v k) : R) v.
  apply: (@differentiable_comp _ _ _ _ (fun v => at_ v k : R) expR).
    apply: (@differentiableD _ _ _ (cst (x k)) (fun v => v 0 k : R)).
      exact: differentiable_cst.
    exact: differentiable_coord.
  by apply/derivable1_diffP; exact: derivable_expR.
apply: (@differentiableM _ _ (fun v => expR (at_ v i)) (fun v => (\sum_k expR (at_ v k))^-1)).
  exact: dexp.
apply: differentiableV; last by rewrite gt_eqF ?sum_exp_gt0.
rewrite (_ : (fun v => _) = \sum_k (fun v => expR (at_ v k))); first exact: differentiable_sum.
by apply/funext => w; rewrite fct_sumE.
Qed.

Lemma differential_entry i v u (s := softmaxr (at_ v)) :
  'd (entry i) v u = s i * (u 0 i - \sum_j s j * u 0 j).
Proof.
have d := is_derive_softmaxr (at_ v) (u 0) i 0.
have zero : (fun k => at_ v k + 0 * u 0 k) = at_ v by apply/funext => k; rewrite mul0r addr0.
have line h : at_ (h *: u + v) = fun k => at_ v k + (h%:A + 0) * u 0 k.
  by apply/funext => k; rewrite /at_ !mxE addr0 [h%:A]mulr1 addrAC -addrA.
rewrite -deriveE; last exact: differentiable_entry.
transitivity ('D_1 (fun t : R => softmaxr (fun k => at_ v k + t * u 0 k) i) 0).
  rewrite /derive; set g1 := fun h => h^-1 *: _; set g2 := fun h => h^-1 *: _.
  by suff -> : g1 = g2 by []; apply/funext => h; rewrite /g1 /g2 /= zero /entry line.
by rewrite derive_val /s zero.
Qed.

Lemma is_diff_softmaxr v :
  is_diff v (fun v => \row_i entry i v) (fun u => u *m (jac (softmaxr (at_ v)))^T).
Proof.
set f := fun v => _.
have df : differentiable f v.
  rewrite (_ : f = \sum_j (fun v => entry j v *: delta_mx 0 j)); last first.
    apply/funext => w; rewrite fct_sumE [LHS]row_sum_delta.
    by apply: eq_bigr => j _; rewrite mxE.
  by apply: differentiable_sum => j; apply: differentiableZl; exact: differentiable_entry.
apply: DiffDef => //; apply/funext => u; apply/rowP => i.
have lin : linear (fun w : 'rV[R]_n.+1 => w 0 i : R^o) by move=> a w w'; rewrite !mxE.
have coordE w : 'd (Linear lin : 'rV[R]_n.+1 -> R) w = Linear lin :> ('rV[R]_n.+1 -> R).
  by apply: diff_lin => w'; exact/differentiable_continuous/differentiable_coord.
transitivity ('d (entry i) v u).
  rewrite (_ : entry i = (Linear lin : 'rV[R]_n.+1 -> R) \o f); last first.
    by apply/funext => w; rewrite /= mxE.
  by rewrite diff_comp //= ?coordE //; exact: differentiable_coord.
rewrite differential_entry mxE mulrBr mulr_sumr; set s := softmaxr (at_ v).
rewrite -(sum_delta i (fun j => s i * u 0 j)) -sumrB; apply: eq_bigr => j _.
rewrite [in RHS]mxE [jac s i j]mxE [RHS]mulrC mulrBr mulrBl.
by congr (_ - _); [rewrite mulrCA mulrA | rewrite mulrA].
Qed.
End Differential.

(* one linear map for all directions together: u -> softmax(z + u) is differentiable at 0 as a map
   of R^n, and its differential is J; vectors are rows *)
(* [statement:softmax_jacobian_frechet] *)
Theorem softmax_jacobian_frechet (R : realType) (n : nat) (z : 'I_n.+1 -> \bar R)
    (H_finite_logits : finite_logits z) :
  is_diff (0 : 'rV[R]_n.+1) (fun u => softmax_row (moved z (u 0) 1))
    (fun u => u *m (jac (softmax z))^T).
(* [statement:softmax_jacobian_frechet] *)
(* [proof:softmax_jacobian_frechet] *)
Proof.
have [x zx] := finite_logitsE H_finite_logits; rewrite zx.
have sE : softmax (fun k => (x k)%:E) = softmaxr (fun k => x k + (0 : 'rV[R]_n.+1) 0 k).
  apply/funext => i; rewrite softmaxE; congr (softmaxr _ i); apply/funext => k.
  by rewrite [X in _ = _ + X]mxE addr0.
have fE : (fun u : 'rV[R]_n.+1 => softmax_row (moved (fun k => (x k)%:E) (u 0) 1)) =
    fun u => \row_i softmaxr (fun k => x k + u 0 k) i.
  apply/funext => u; apply/rowP => i; rewrite [LHS]mxE [RHS]mxE -softmaxE; congr (softmax _ i).
  by apply/funext => k; rewrite /moved mul1r.
by rewrite fE sE; exact: is_diff_softmaxr.
Qed.
(* [proof:softmax_jacobian_frechet] *)

(* the 4 x 4 case *)
(* [statement:softmax_jacobian_4] *)
Theorem softmax_jacobian_4 (R : realType) (a b c d : R) :
  jac (vec4 a b c d) = \matrix_(i, j) nth 0 (nth [::]
    [:: [:: a * (1 - a); - (a * b);   - (a * c);   - (a * d)];
        [:: - (b * a);   b * (1 - b); - (b * c);   - (b * d)];
        [:: - (c * a);   - (c * b);   c * (1 - c); - (c * d)];
        [:: - (d * a);   - (d * b);   - (d * c);   d * (1 - d)]] i) j.
(* [statement:softmax_jacobian_4] *)
(* [proof:softmax_jacobian_4] *)
Proof.
apply/matrixP; case=> -[|[|[|[|//]]]] hi; case=> -[|[|[|[|//]]]] hj.
all: by rewrite !mxE /vec4 -val_eqE /= ?sub0r ?mulrN.
Qed.
(* [proof:softmax_jacobian_4] *)

Lemma half_times_half (R : realFieldType) : 2%:R^-1 * (1 - 2%:R^-1) = 4%:R^-1 :> R.
Proof.
have half2 : 2%:R^-1 + 2%:R^-1 = 1 :> R.
  by rewrite -mulr2n -[LHS]mulr_natr mulVf ?pnatr_eq0.
have -> : 1 - 2%:R^-1 = 2%:R^-1 :> R by apply/eqP; rewrite subr_eq half2.
by rewrite -invfM -natrM.
Qed.

(* two equal logits: s = (1/2, 1/2), and the derivative of s_1 by z_1 is 1/4 *)
(* [statement:softmax_jacobian_instance] *)
Example softmax_jacobian_instance (R : realType) (z : 'I_2 -> \bar R := fun=> 0%E) :
  finite_logits z /\
  is_derive (0 : R) 1 (fun t => softmax (moved z (unit_direction R 0) t) 0) 4%:R^-1.
(* [statement:softmax_jacobian_instance] *)
(* [proof:softmax_jacobian_instance] *)
Proof.
split=> //; apply: (is_derive_eq (softmax_jacobian (z := z) _ 0 0)) => //.
rewrite mxE eqxx (softmaxE (fun=> 0)) /softmaxr expR0 !big_ord_recl big_ord0 addr0 mul1r.
exact: half_times_half.
Qed.
(* [proof:softmax_jacobian_instance] *)

(* [statement:softmax_jacobian_directional_instance] *)
Example softmax_jacobian_directional_instance (R : realType) (z : 'I_2 -> \bar R := fun=> 0%E)
    (u : 'I_2 -> R := fun=> 1) :
  finite_logits z /\ is_derive (0 : R) 1 (fun t => softmax (moved z u t) 0) 0.
(* [statement:softmax_jacobian_directional_instance] *)
(* [proof:softmax_jacobian_directional_instance] *)
Proof.
split=> //; apply: (is_derive_eq (softmax_jacobian_directional (z := z) _ u 0)) => //.
have s1 : \sum_i softmax z i = 1.
  by rewrite (eq_bigr _ (fun i _ => softmaxE (fun=> 0) i)) softmaxr_sum1.
under eq_bigr do rewrite /u mulr1 mxE mulrBr.
rewrite sumrB -[X in _ - X]mulr_sumr s1 mulr1; under eq_bigr do rewrite mulrC.
by rewrite sum_delta subrr.
Qed.
(* [proof:softmax_jacobian_directional_instance] *)

(* [statement:softmax_jacobian_frechet_instance] *)
Example softmax_jacobian_frechet_instance (R : realType) (z : 'I_2 -> \bar R := fun=> 0%E)
    (f := fun u : 'rV[R]_2 => softmax_row (moved z (u 0) 1)) :
  [/\ finite_logits z, differentiable f (0 : 'rV[R]_2)
    & 'd f (0 : 'rV[R]_2) (delta_mx 0 0) 0 0 = 4%:R^-1].
(* [statement:softmax_jacobian_frechet_instance] *)
(* [proof:softmax_jacobian_frechet_instance] *)
Proof.
have zf : finite_logits z by [].
have [df dE] := softmax_jacobian_frechet zf; split=> //.
rewrite [LHS](congr1 (fun g : 'rV[R]_2 -> 'rV[R]_2 => g (delta_mx 0 0) 0 0) dE).
rewrite -rowE [LHS]mxE [LHS]mxE [LHS]mxE eqxx (softmaxE (fun=> 0)) /softmaxr expR0.
by rewrite !big_ord_recl big_ord0 addr0 mul1r half_times_half.
Qed.
(* [proof:softmax_jacobian_frechet_instance] *)

(* (+oo, +oo) shares the weight whatever is added: derivative 0, where the formula says 1/4 *)
Lemma softmax_plus_infinity (R : realType) (z : 'I_2 -> \bar R) i :
  (forall k, z k = +oo%E) -> softmax z i = 2%:R^-1.
Proof.
move=> zoo; have w k : logit_weight z k = 1.
  by rewrite /logit_weight zoo eqxx; case: existsP => // -[]; exists k; rewrite zoo.
by rewrite /softmax w !big_ord_recl big_ord0 !w addr0 mul1r.
Qed.

(* [statement:softmax_jacobian_without_finite_logits] *)
Example softmax_jacobian_without_finite_logits (R : realType) (z : 'I_2 -> \bar R := fun=> +oo%E) :
  [/\ is_derive (0 : R) 1 (fun t => softmax (moved z (unit_direction R 0) t) 0) 0,
      jac (softmax z) 0 0 = 4%:R^-1
    & ~ is_derive (0 : R) 1 (fun t => softmax (moved z (unit_direction R 0) t) 0)
          (jac (softmax z) 0 0)].
(* [statement:softmax_jacobian_without_finite_logits] *)
(* [proof:softmax_jacobian_without_finite_logits] *)
Proof.
have d0 : is_derive (0 : R) 1 (fun t => softmax (moved z (unit_direction R 0) t) 0) 0.
  rewrite (_ : (fun t => _) = cst 2%:R^-1); first exact: is_derive_cst.
  by apply/funext => t; rewrite softmax_plus_infinity.
have j4 : jac (softmax z) 0 0 = 4%:R^-1.
  by rewrite mxE eqxx softmax_plus_infinity // half_times_half.
split=> // dj; have := @derive_val _ _ _ _ _ _ _ dj.
rewrite (@derive_val _ _ _ _ _ _ _ d0) j4 => /eqP.
by rewrite eq_sym invr_eq0 pnatr_eq0.
Qed.
(* [proof:softmax_jacobian_without_finite_logits] *)

(* [statement:softmax_jacobian_directional_without_finite_logits] *)
Example softmax_jacobian_directional_without_finite_logits (R : realType)
    (z : 'I_2 -> \bar R := fun=> +oo%E) (u := unit_direction R 0) :
  [/\ is_derive (0 : R) 1 (fun t => softmax (moved z u t) 0) 0,
      \sum_j jac (softmax z) 0 j * u j = 4%:R^-1
    & ~ is_derive (0 : R) 1 (fun t => softmax (moved z u t) 0)
          (\sum_j jac (softmax z) 0 j * u j)].
(* [statement:softmax_jacobian_directional_without_finite_logits] *)
(* [proof:softmax_jacobian_directional_without_finite_logits] *)
Proof.
have [d0 j4 nd] := softmax_jacobian_without_finite_logits R.
have uE : \sum_j jac (softmax z) 0 j * u j = jac (softmax z) 0 0.
  rewrite -[RHS](sum_delta (0 : 'I_2) (fun j => jac (softmax z) 0 j)).
  by apply: eq_bigr => j _; rewrite mulrC /u /unit_direction eq_sym.
by split; rewrite ?uE.
Qed.
(* [proof:softmax_jacobian_directional_without_finite_logits] *)

(* the map is constant: its differential is 0 *)
(* [statement:softmax_jacobian_frechet_without_finite_logits] *)
Example softmax_jacobian_frechet_without_finite_logits (R : realType)
    (z : 'I_2 -> \bar R := fun=> +oo%E)
    (f := fun u : 'rV[R]_2 => softmax_row (moved z (u 0) 1)) :
  is_diff (0 : 'rV[R]_2) f 0 /\
  ~ is_diff (0 : 'rV[R]_2) f (fun u => u *m (jac (softmax z))^T).
(* [statement:softmax_jacobian_frechet_without_finite_logits] *)
(* [proof:softmax_jacobian_frechet_without_finite_logits] *)
Proof.
have d0 : is_diff (0 : 'rV[R]_2) f 0.
  rewrite (_ : f = cst (const_mx 2%:R^-1)); first exact: is_diff_cst.
  by apply/funext => u; apply/rowP => i; rewrite !mxE softmax_plus_infinity.
split=> // -[_ dE]; have [_ zE] := d0.
have := congr1 (fun g : 'rV[R]_2 -> 'rV[R]_2 => g (delta_mx 0 0) 0 0) (etrans (esym dE) zE).
rewrite -rowE [LHS]mxE [LHS]mxE [LHS]mxE [RHS]mxE eqxx softmax_plus_infinity // half_times_half.
by move/eqP; rewrite invr_eq0 pnatr_eq0.
Qed.
(* [proof:softmax_jacobian_frechet_without_finite_logits] *)
