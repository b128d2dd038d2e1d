From mathcomp Require Import all_ssreflect ssralg ssrnum zmodp matrix.
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp.analysis Require Import reals ereal signed topology normedtype sequences derive.
From mathcomp.analysis Require Import realfun exp.
From rootdk.theory Require Import simplex softmax.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Def Num.Theory.
Import numFieldNormedType.Exports.
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
