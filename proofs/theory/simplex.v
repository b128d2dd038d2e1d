From mathcomp Require Import all_ssreflect ssralg ssrnum zmodp matrix.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Points of the simplex and the matrix diag(s) - s s^T that is softmax's Jacobian *)

Section Definitions.
Variables (R : numDomainType) (n : nat).
Implicit Type s : 'I_n -> R.

Definition jac s : 'M[R]_n := \matrix_(i, j) (s i * ((i == j)%:R - s j)).

Definition weights_sum_to_one s := \sum_i s i = 1.

Definition simplex_point s := (forall i, 0 <= s i) /\ weights_sum_to_one s.

Definition one_hot s := exists k, forall i, s i = (i == k)%:R.

Definition sqnorm (v : 'cV[R]_n) := \sum_i v i 0 ^+ 2.

(* |A v| <= c |v| for all v: the operator norm of A is at most c *)
Definition norm2_le (A : 'M[R]_n) c := forall v, sqnorm (A *m v) <= c ^+ 2 * sqnorm v.
End Definitions.

Definition vec4 {R : ringType} (a b c d : R) (i : 'I_4) : R := nth 0 [:: a; b; c; d] i.

Lemma jacE (R : numDomainType) n (s : 'I_n -> R) :
  jac s = diag_mx (\row_i s i) - (\row_i s i)^T *m (\row_i s i).
Proof.
apply/matrixP => i j; rewrite !mxE big_ord1 !mxE mulrBr; congr (_ - _).
by rewrite mulr_natr.
Qed.

Lemma sum_delta (R : ringType) (I : finType) (i : I) (F : I -> R) :
  \sum_j (i == j)%:R * F j = F i.
Proof.
rewrite (bigD1 i) //= eqxx mul1r big1 ?addr0 // => j.
by rewrite eq_sym => /negbTE ->; rewrite mul0r.
Qed.

Section Sums.
Variables (R : realFieldType) (I : finType) (p : I -> R).
Implicit Types a b : I -> R.

(* 2((sum p a^2)(sum p b^2) - (sum p a b)^2) = sum sum p_i p_j (a_i b_j - a_j b_i)^2 *)
Lemma lagrange a b :
  \sum_i \sum_j p i * p j * (a i * b j - a j * b i) ^+ 2 =
  ((\sum_i p i * a i ^+ 2) * (\sum_i p i * b i ^+ 2) - (\sum_i p i * a i * b i) ^+ 2) *+ 2.
Proof.
set A := \sum_i p i * a i ^+ 2; set B := \sum_i p i * b i ^+ 2.
set C := \sum_i p i * a i * b i.
transitivity (A * B + B * A - (C * C) *+ 2); last first.
  by rewrite expr2 [B * A]mulrC -mulr2n mulrnBl.
rewrite /A /B /C !big_distrlr /= -sumrMnl -big_split -sumrB /=; apply: eq_bigr => i _.
rewrite -sumrMnl -big_split -sumrB /=; apply: eq_bigr => j _.
rewrite sqrrB addrAC mulrBr mulrDr !exprMn mulrnAr; congr (_ + _ - _ *+ 2).
- by rewrite mulrACA.
- by rewrite [a j ^+ 2 * _]mulrC mulrACA.
- by rewrite [a j * b i]mulrC [a i * b j * _]mulrACA [b j * _]mulrC [LHS]mulrACA !mulrA.
Qed.

Lemma weighted_cauchy a b : (forall i, 0 <= p i) ->
  (\sum_i p i * a i * b i) ^+ 2 <= (\sum_i p i * a i ^+ 2) * (\sum_i p i * b i ^+ 2).
Proof.
move=> p0; rewrite -subr_ge0 -(pmulrn_lge0 _ (isT : 0 < 2)%N) -lagrange.
by apply: sumr_ge0 => i _; apply: sumr_ge0 => j _; rewrite mulr_ge0 ?sqr_ge0 // mulr_ge0.
Qed.
End Sums.
