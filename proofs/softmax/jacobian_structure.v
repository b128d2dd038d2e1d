From mathcomp Require Import all_ssreflect ssralg ssrnum zmodp matrix.
From rootdk.theory Require Import law finite_law simplex.
From rootdk.dot_product Require Import variance_expansion.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Step 15. J = diag(s) - s s^T on the simplex *)

(* the law with weights s on the indices *)
Definition simplex_law (R : realFieldType) n (s : 'I_n -> R) (H : simplex_point s) :
  finite_law R := FiniteLaw (proj1 H) (proj2 H).

Section Forms.
Variables (R : realFieldType) (n : nat) (s : 'I_n -> R).
Implicit Types u v : 'cV[R]_n.

Lemma jac_mulE v i : (jac s *m v) i 0 = s i * (v i 0 - \sum_j s j * v j 0).
Proof.
rewrite mxE mulrBr mulr_sumr -(sum_delta i (fun j => s i * v j 0)) -sumrB.
by apply: eq_bigr => j _; rewrite mxE mulrBr mulrBl mulrA [s i * (i == j)%:R]mulrC !mulrA.
Qed.

Lemma jac_formE u v : (u^T *m jac s *m v) 0 0 =
  \sum_i s i * u i 0 * v i 0 - (\sum_i s i * u i 0) * (\sum_i s i * v i 0).
Proof.
rewrite -mulmxA mxE mulr_suml -sumrB; apply: eq_bigr => i _.
by rewrite jac_mulE mxE mulrCA mulrA mulrBr.
Qed.

Lemma jac_sym : (jac s)^T = jac s.
Proof.
apply/matrixP => i j; rewrite !mxE [j == i]eq_sym; case: eqP => [->//|_].
by rewrite !sub0r !mulrN mulrC.
Qed.
End Forms.

(* [statement:jacobian_structure] *)
Theorem jacobian_structure (R : realFieldType) (n : nat) (s : 'I_n -> R)
    (H_simplex_point : simplex_point s) :
  [/\ (jac s)^T = jac s,
      jac s *m const_mx 1 = 0 :> 'cV[R]_n,
      forall v : 'cV[R]_n, (v^T *m jac s *m v) 0 0 =
        variance (fun i : simplex_law H_simplex_point => v i 0),
      forall v : 'cV[R]_n, 0 <= (v^T *m jac s *m v) 0 0
    & norm2_le (jac s) 2%:R^-1].
(* [statement:jacobian_structure] *)
(* [proof:jacobian_structure] *)
Proof.
have [s0 s1] := H_simplex_point.
have formE (v : 'cV[R]_n) : (v^T *m jac s *m v) 0 0 =
    variance (fun i : simplex_law H_simplex_point => v i 0).
  rewrite variance_expansion jac_formE expr2; congr (_ - _ * _).
  by apply: eq_bigr => i _; rewrite -mulrA -expr2.
have form_ge0 (v : 'cV[R]_n) : 0 <= (v^T *m jac s *m v) 0 0.
  by rewrite formE variance_ge0.
split=> //.
- exact: jac_sym.
- apply/matrixP => i j; rewrite ord1 jac_mulE !mxE.
  by rewrite (eq_bigr s) ?s1 ?subrr ?mulr0 // => k _; rewrite mxE mulr1.
have s_le1 i : s i <= 1.
  by rewrite -[X in _ <= X]s1 (bigD1 i) //= ler_addl sumr_ge0.
have quarter i : s i * (1 - s i) <= 4%:R^-1.
  rewrite -subr_ge0 [X in 0 <= X](_ : _ = (s i - 2%:R^-1) ^+ 2) ?sqr_ge0 //.
  rewrite sqrrB exprVn -natrX addrC mulrBr mulr1 opprB -expr2; congr (_ - _ + _).
  by rewrite -mulrnAr -mulr_natr mulVf ?mulr1 // pnatr_eq0.
(* v^T J v <= |v|^2 / 2 *)
have half (v : 'cV[R]_n) : (v^T *m jac s *m v) 0 0 <= 2%:R^-1 * sqnorm v.
  have e2 : (v^T *m jac s *m v) 0 0 *+ 2 =
      \sum_i \sum_j s i * s j * (v i 0 - v j 0) ^+ 2.
    have := lagrange s (fun i => v i 0) (fun=> 1).
    under eq_bigr do under eq_bigr do rewrite mulr1 mulr1.
    move=> ->; congr (_ *+ 2); rewrite jac_formE expr2; congr (_ - _).
      rewrite [X in _ * X](_ : _ = 1) ?mulr1.
        by apply: eq_bigr => i _; rewrite -mulrA -expr2.
      by rewrite -[RHS]s1; apply: eq_bigr => i _; rewrite !mulr1.
    by rewrite -expr2; congr (_ ^+ 2); apply: eq_bigr => i _; rewrite mulr1.
  rewrite -(ler_pmuln2r (isT : 0 < 2)%N) e2.
  have le1 i j : s i * s j * (v i 0 - v j 0) ^+ 2 <=
      s i * ((i != j)%:R * s j) * (v i 0 ^+ 2 *+ 2) +
      s j * ((j != i)%:R * s i) * (v j 0 ^+ 2 *+ 2).
    rewrite [j == i]eq_sym; case: (eqVneq i j) => [->|_] /=.
      by rewrite subrr expr0n !mul0r !mulr0 !mul0r addr0.
    rewrite !mul1r [s j * s i]mulrC -mulrDr ler_wpmul2l ?mulr_ge0 //.
    rewrite -subr_ge0 [X in 0 <= X](_ : _ = (v i 0 + v j 0) ^+ 2) ?sqr_ge0 //.
    apply/eqP; rewrite sqrrB sqrrD !mulr2n subr_eq.
    rewrite [X in _ == X]addrACA [X in _ == X + _]addrACA.
    by rewrite subrr addr0.
  apply: le_trans (ler_sum _ (fun i _ => ler_sum _ (fun j _ => le1 i j))) _.
  under eq_bigr do rewrite big_split; rewrite big_split /= [X in _ + X]exchange_big /= -mulr2n.
  rewrite ler_pmuln2r // /sqnorm mulr_sumr; apply: ler_sum => i _.
  rewrite -mulr_suml -mulr_sumr (_ : \sum_j _ = 1 - s i); last first.
    rewrite -[X in _ = X - _]s1 (bigD1 i) //= eqxx mul0r add0r [in RHS](bigD1 i) //= addrC addKr.
    by apply: eq_bigr => j; rewrite eq_sym => ->; rewrite mul1r.
  apply: le_trans (ler_wpmul2r _ (quarter i)) _; first by rewrite mulrn_wge0 ?sqr_ge0.
  rewrite -[v i 0 ^+ 2 *+ 2]mulr_natl mulrA ler_wpmul2r ?sqr_ge0 //.
  by rewrite (_ : 4%N = (2 * 2)%N) // natrM invfM -mulrA mulVf ?mulr1 // pnatr_eq0.
(* |Jv|^4 = (v^T J w)^2 <= (v^T J v)(w^T J w) with w = Jv *)
move=> v; set w := jac s *m v.
have wE : (w^T *m jac s *m v) 0 0 = sqnorm w.
  by rewrite -mulmxA -/w mxE; apply: eq_bigr => i _; rewrite mxE expr2.
have form_le : sqnorm w ^+ 2 <= (2%:R^-1 * sqnorm w) * (2%:R^-1 * sqnorm v).
  rewrite -{1}wE; apply: (@le_trans _ _ ((w^T *m jac s *m w) 0 0 * (v^T *m jac s *m v) 0 0)).
    pose c (u : 'cV[R]_n) i := u i 0 - \sum_j s j * u j 0.
    have cE (u t : 'cV[R]_n) : (u^T *m jac s *m t) 0 0 = \sum_i s i * c u i * c t i.
      have c0 : \sum_i s i * c t i = 0.
        under eq_bigr do rewrite mulrBr.
        by rewrite sumrB -[X in _ - X]mulr_suml s1 mul1r subrr.
      set mu := \sum_j s j * u j 0; set mt := \sum_j s j * t j 0.
      transitivity (\sum_i (s i * u i 0 * t i 0 - s i * u i 0 * mt - mu * (s i * c t i))).
        by rewrite !sumrB -mulr_suml -mulr_sumr c0 mulr0 subr0 jac_formE.
      apply: eq_bigr => i _.
      by rewrite -mulrBr -/mt -/(c t i) [mu * _]mulrA [mu * s i]mulrC -mulrBl -mulrBr.
    rewrite !cE; under [X in _ <= X * _]eq_bigr do rewrite -mulrA -expr2.
    under [X in _ <= _ * X]eq_bigr do rewrite -mulrA -expr2.
    exact: weighted_cauchy.
  by rewrite ler_pmul ?half ?form_ge0.
have w0 : 0 <= sqnorm w by apply: sumr_ge0 => i _; rewrite sqr_ge0.
have [w00|] := eqVneq (sqnorm w) 0.
  by rewrite w00 mulr_ge0 ?sqr_ge0 //; apply: sumr_ge0 => i _; rewrite sqr_ge0.
rewrite neq_lt ltNge w0 /= => w_gt0; rewrite -(ler_pmul2l w_gt0) -expr2.
by rewrite (le_trans form_le) // expr2 [2%:R^-1 * sqnorm w]mulrC -!mulrA.
Qed.
(* [proof:jacobian_structure] *)

(* (1/2, 1/2, 0, ...) and v = (1, -1, 0, ...): Jv = v/2 *)
(* [statement:jacobian_structure_attained] *)
Theorem jacobian_structure_attained (R : realFieldType) (n : nat)
    (s : 'I_n.+2 -> R := fun i => if (i < 2)%N then 2%:R^-1 else 0)
    (v : 'cV[R]_n.+2 := \col_i if i == 0 then 1 else if i == 1 then -1 else 0) :
  simplex_point s /\ (v != 0 /\ sqnorm (jac s *m v) = 2%:R^-1 ^+ 2 * sqnorm v).
(* [statement:jacobian_structure_attained] *)
(* [proof:jacobian_structure_attained] *)
Proof.
have two : 2%:R != 0 :> R by rewrite pnatr_eq0.
have half2 : 2%:R^-1 + 2%:R^-1 = 1 :> R by rewrite -mulr2n -[LHS]mulr_natr mulVf.
split.
  split=> [i|]; first by rewrite /s; case: ifP => _; rewrite ?invr_ge0 ?ler0n.
  by rewrite /weights_sum_to_one !big_ord_recl big1 ?addr0 //=; exact: half2.
split.
  by apply/eqP => /matrixP/(_ 0 0)/eqP; rewrite !mxE eqxx oner_eq0.
have m0 : \sum_j s j * v j 0 = 0.
  rewrite !big_ord_recl big1 => [|i _]; last by rewrite mxE mulr0.
  by rewrite !mxE /s /= addr0 mulr1 mulrN1 subrr.
rewrite /sqnorm mulr_sumr; apply: eq_bigr => i _.
rewrite jac_mulE m0 subr0 exprMn mxE /s; case: ltnP => // i2.
case: (i =P 0) i2 => [->//|_]; case: (i =P 1) => [->//|_ _].
by rewrite !expr0n !mulr0.
Qed.
(* [proof:jacobian_structure_attained] *)

(* the uniform weights *)
(* [statement:jacobian_structure_instance] *)
Example jacobian_structure_instance (R : realFieldType) (n : nat)
    (s : 'I_n.+1 -> R := fun=> n.+1%:R^-1) :
  simplex_point s /\ jac s *m const_mx 1 = 0 :> 'cV[R]_n.+1.
(* [statement:jacobian_structure_instance] *)
(* [proof:jacobian_structure_instance] *)
Proof.
have sp : simplex_point s.
  split=> [i|]; first by rewrite invr_ge0 ler0n.
  by rewrite /weights_sum_to_one sumr_const card_ord -[LHS]mulr_natr mulVf ?pnatr_eq0.
by split=> //; have [] := jacobian_structure sp.
Qed.
(* [proof:jacobian_structure_instance] *)

(* s = (1, 1) does not sum to 1: J1 = -(1, 1) *)
(* [statement:jacobian_structure_without_simplex_point] *)
Example jacobian_structure_without_simplex_point (R : realFieldType)
    (s : 'I_2 -> R := fun=> 1) :
  jac s *m const_mx 1 = - const_mx 1 :> 'cV[R]_2 /\ jac s *m const_mx 1 != 0 :> 'cV[R]_2.
(* [statement:jacobian_structure_without_simplex_point] *)
(* [proof:jacobian_structure_without_simplex_point] *)
Proof.
have e : jac s *m const_mx 1 = - const_mx 1 :> 'cV[R]_2.
  apply/matrixP => i j; rewrite ord1 jac_mulE !big_ord_recl big_ord0 !mxE !mulr1 addr0 mul1r.
  by rewrite opprD addrA subrr add0r.
split=> //; rewrite e oppr_eq0; apply/eqP => /matrixP/(_ 0 0)/eqP.
by rewrite !mxE oner_eq0.
Qed.
(* [proof:jacobian_structure_without_simplex_point] *)

(* s = (2, -1) sums to 1 and has a negative entry: e_2^T J e_2 = -2 *)
(* [statement:jacobian_structure_without_simplex_point_sign] *)
Example jacobian_structure_without_simplex_point_sign (R : realFieldType)
    (s : 'I_2 -> R := fun i => if i == 0 then 2%:R else -1)
    (v : 'cV[R]_2 := \col_i if i == 0 then 0 else 1) :
  weights_sum_to_one s /\ (v^T *m jac s *m v) 0 0 = - 2%:R /\ (v^T *m jac s *m v) 0 0 < 0.
(* [statement:jacobian_structure_without_simplex_point_sign] *)
(* [proof:jacobian_structure_without_simplex_point_sign] *)
Proof.
have e : (v^T *m jac s *m v) 0 0 = - 2%:R.
  rewrite jac_formE !big_ord_recl !big_ord0 !mxE /s /=.
  by rewrite !(mulr0, add0r, addr0, mulr1) mulrNN mulr1 -opprD.
rewrite e oppr_lt0 ltr0n; split=> //.
by rewrite /weights_sum_to_one !big_ord_recl big_ord0 /s /= addr0 mulr2n addrK.
Qed.
(* [proof:jacobian_structure_without_simplex_point_sign] *)
