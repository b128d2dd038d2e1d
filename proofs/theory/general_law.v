From mathcomp Require Import all_ssreflect ssralg ssrnum matrix mxalgebra.
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp.analysis Require Import reals ereal measure lebesgue_measure.
From mathcomp.analysis Require Import lebesgue_integral.
From rootdk.theory Require Import law.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Def Num.Theory.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

(* Probability measures as laws, independence on them, and E and Var of products by Fubini.
   emean and evar take values in [-oo, oo]; the law of a measure takes their real part. *)

Record probability d (T : measurableType d) (R : realType) := Probability {
  measure_of : {measure set T -> \bar R};
  total_mass : measure_of setT = 1%E }.

Module General.
Section Independence.
Context d d1 d2 (Om : measurableType d) (T1 : measurableType d1) (T2 : measurableType d2).
Context (R : realType) (P : set Om -> \bar R).

Definition independent_pair (X : Om -> T1) (Y : Om -> T2) :=
  forall A B, measurable A -> measurable B ->
  P (X @^-1` A `&` Y @^-1` B) = (P (X @^-1` A) * P (Y @^-1` B))%E.

(* two random vectors, valued in any measurable spaces *)
Definition independent_vectors := independent_pair.

Definition independent_pairs n (q : 'I_n -> Om -> T1) (k : 'I_n -> Om -> T2) :=
  forall i, independent_pair (q i) (k i).
End Independence.
End General.

Section OneSpace.
Context d (T : measurableType d) (R : realType).
Variable P : {measure set T -> \bar R}.
Implicit Types f g : T -> R.

Lemma proba_sigma_finite : P setT = 1%E -> sigma_finite setT P.
Proof.
move=> P1; exists (fun=> setT); first by rewrite bigcup_const //; exists 0%N.
by move=> _; rewrite P1 ltry.
Qed.

(* integrable and square-integrable real functions *)
Definition L1 f := P.-integrable setT (fun x => (f x)%:E).
Definition L2 f := measurable_fun setT f /\ L1 (fun x => f x ^+ 2).

Lemma L1_measurable f : L1 f -> measurable_fun setT f.
Proof. by case=> /EFin_measurable_fun. Qed.

Lemma L1_fin_num f : L1 f -> (\int[P]_x (f x)%:E)%E \is a fin_num.
Proof.
move=> f1; rewrite integralE fin_numB.
by rewrite (integrable_pos_fin_num measurableT f1) (integrable_neg_fin_num measurableT f1).
Qed.

Lemma L1_norm_fin_num f : L1 f -> (\int[P]_x `|f x|%:E)%E \is a fin_num.
Proof.
by case=> _ foo; rewrite ge0_fin_numE // integral_ge0 // => x _; rewrite lee_fin.
Qed.

Lemma integral_normM f (c : \bar R) : L1 f -> (0 <= c)%E ->
  (\int[P]_x (c * `|f x|%:E) = c * \int[P]_x `|f x|%:E)%E.
Proof.
move=> /L1_measurable mf c0; rewrite ge0_integralM //; last by move=> x _; rewrite lee_fin.
by apply/EFin_measurable_fun; exact: measurable_fun_comp.
Qed.

Lemma L2_mul f g : L2 f -> L2 g -> L1 (fun x => f x * g x).
Proof.
move=> [mf f2] [mg g2].
apply: (le_integrable measurableT _ _ (integrableD measurableT f2 g2)).
  by apply/EFin_measurable_fun; exact: measurable_funM.
move=> x _ /=; rewrite lee_fin [leRHS]ger0_norm ?addr_ge0 ?sqr_ge0 //.
rewrite normrM -[f x ^+ 2]real_normK ?num_real // -[g x ^+ 2]real_normK ?num_real //.
have [ab|/ltW ba] := leP `|f x| `|g x|.
  by apply: ler_paddl; rewrite ?exprn_ge0 // expr2 ler_wpmul2r.
by apply: ler_paddr; rewrite ?exprn_ge0 // expr2 ler_wpmul2l.
Qed.

Lemma L1_cst c : P setT = 1%E -> L1 (cst c).
Proof.
move=> P1; split; first by apply/EFin_measurable_fun; exact: measurable_fun_cst.
rewrite [X in (X < _)%E](_ : _ = \int[P]_x cst `|c|%:E x)%E //.
by rewrite integral_cst // P1 mule1 ltry.
Qed.

Lemma L2_L1 f : P setT = 1%E -> L2 f -> L1 f.
Proof.
move=> P1 f2; have c2 : L2 (cst 1) by split; [exact: measurable_fun_cst|exact: (L1_cst (1 ^+ 2))].
by have := L2_mul f2 c2; rewrite /L1 /=; under eq_fun do rewrite mulr1.
Qed.

Lemma integral_fsum (I : finType) (f : I -> T -> R) : (forall i, L1 (f i)) ->
  L1 (fun x => \sum_i f i x) /\
  (\int[P]_x (\sum_i f i x)%:E = \sum_i \int[P]_x (f i x)%:E)%E.
Proof.
move=> fi; elim: (index_enum I) => [|i s [IH1 IH2]].
  rewrite /L1; under eq_fun do rewrite big_nil.
  by rewrite big_nil integral0; split=> //; exact: integrable0.
rewrite /L1; under eq_fun do rewrite big_cons EFinD.
rewrite big_cons -IH2 -(integralD measurableT (fi i) IH1); split=> //.
exact: (integrableD measurableT (fi i) IH1).
Qed.

End OneSpace.

Section Product.
Context d1 d2 (T1 : measurableType d1) (T2 : measurableType d2) (R : realType).
Variables (P1 : {measure set T1 -> \bar R}) (P2 : {measure set T2 -> \bar R}).
Hypothesis sP2 : sigma_finite setT P2.
Let P := product_measure1 P1 sP2.

Lemma measurable_fun_fst : measurable_fun setT (@fst T1 T2).
Proof.
by have /prod_measurable_funP[] :=
  @measurable_fun_id _ [the measurableType _ of (T1 * T2)%type] setT.
Qed.

Lemma measurable_fun_snd : measurable_fun setT (@snd T1 T2).
Proof.
by have /prod_measurable_funP[] :=
  @measurable_fun_id _ [the measurableType _ of (T1 * T2)%type] setT.
Qed.

Variables (f : T1 -> R) (g : T2 -> R).
Hypotheses (f1 : L1 P1 f) (g1 : L1 P2 g).

Let h (z : T1 * T2) := f z.1 * g z.2.

Lemma measurable_prod_fun : measurable_fun setT h.
Proof.
apply: measurable_funM.
  exact: measurable_fun_comp (L1_measurable f1) measurable_fun_fst.
exact: measurable_fun_comp (L1_measurable g1) measurable_fun_snd.
Qed.

Lemma L1_prod : L1 P h.
Proof.
apply/fubini1a => /=; first by apply/EFin_measurable_fun; exact: measurable_prod_fun.
under eq_integral => x _.
  under eq_integral do rewrite /h /= normrM EFinM.
  rewrite integral_normM ?lee_fin // muleC; over.
have g0 : (0 <= \int[P2]_y `|g y|%:E)%E.
  by apply: integral_ge0 => y _; rewrite lee_fin.
rewrite integral_normM // lte_mul_pinfty //; first exact: L1_norm_fin_num.
by case: f1.
Qed.

Lemma integral_prod :
  (\int[P]_z (f z.1 * g z.2)%:E = (\int[P1]_x (f x)%:E) * (\int[P2]_y (g y)%:E))%E.
Proof.
rewrite -[LHS](@fubini1 _ _ _ _ _ _ _ _ (EFin \o h)) /fubini_F /=;
  [|by apply/EFin_measurable_fun; exact: measurable_prod_fun|exact: L1_prod].
rewrite -(fineK (L1_fin_num g1)).
under eq_integral => x _.
  under eq_integral do rewrite /h /= EFinM.
  rewrite integralM // -(fineK (L1_fin_num g1)) muleC. over.
by rewrite integralM // muleC.
Qed.
End Product.

(* emean and variance of a real random variable *)
Section Moments.
Context d (T : measurableType d) (R : realType).
Definition emean (P : set T -> \bar R) (X : T -> R) : \bar R := (\int[P]_x (X x)%:E)%E.
Definition evar (P : set T -> \bar R) (X : T -> R) : \bar R :=
  emean P (fun x => (X x - fine (emean P X)) ^+ 2).
(* matrix of second moments; the covariance matrix when the means are zero *)
Definition moment2 (P : set T -> \bar R) n (q : 'I_n -> T -> R) : 'M[R]_n :=
  \matrix_(i, j) fine (emean P (fun x => q i x * q j x)).

Variable P : {measure set T -> \bar R}.
Implicit Types X : T -> R.

(* a measurable function with a finite second moment is in L2 *)
Lemma L2_moment X c : measurable_fun setT X -> emean P (fun x => X x ^+ 2) = c%:E -> L2 P X.
Proof.
move=> mX Xc; split=> //; split; first exact/EFin_measurable_fun/measurable_fun_sqr.
suff -> : (\int[P]_x `|(X x ^+ 2)%:E|)%E = c%:E by rewrite ltry.
by rewrite -Xc; apply: eq_integral => x _; rewrite gee0_abs // lee_fin sqr_ge0.
Qed.

Lemma mean_scale c X : L1 P X -> emean P (fun x => c * X x) = (c%:E * emean P X)%E.
Proof. by move=> X1; exact: (integralM measurableT X1 c). Qed.

Lemma L2_shift c X : P setT = 1%E -> L2 P X -> L2 P (fun x => X x - c).
Proof.
move=> P1 X2; have X1 := L2_L1 P1 X2; have [mX XX] := X2.
split; first by apply: measurable_funB => //; exact: measurable_fun_cst.
have c1 : L1 P (cst (c ^+ 2)) by exact: L1_cst.
have Z1 : L1 P (fun x => - (2 * c) * X x) by exact: (integrablerM measurableT _ X1).
rewrite (_ : (fun x => _) = fun x => X x ^+ 2 + (- (2 * c) * X x + c ^+ 2)).
  exact: (integrableD measurableT XX (integrableD measurableT Z1 c1)).
by apply/funext => x; rewrite sqrrB addrA mulNr -mulrA mulr_natl [c * _]mulrC.
Qed.

Lemma Var_scale c X : L1 P X -> L1 P (fun x => (X x - fine (emean P X)) ^+ 2) ->
  evar P (fun x => c * X x) = ((c ^+ 2)%:E * evar P X)%E.
Proof.
move=> X1 X2; rewrite /evar -mean_scale //; apply: eq_integral => x _.
by rewrite mean_scale // /emean -(fineK (L1_fin_num X1)) -EFinM /= -mulrBr exprMn.
Qed.

Lemma VarE X : P setT = 1%E -> L2 P X ->
  evar P X = (emean P (fun x => X x ^+ 2)%R - emean P X * emean P X)%E.
Proof.
move=> P1 X2; have X1 := L2_L1 P1 X2; have [_ XX] := X2.
have mE : (fine (emean P X))%:E = emean P X by exact/fineK/L1_fin_num.
move: mE; set m := fine _ => mE.
have c1 : L1 P (cst (m ^+ 2)) by exact: L1_cst.
have Z1 : L1 P (fun x => - (2 * m) * X x) by exact: (integrablerM measurableT _ X1).
rewrite /evar -/m /emean.
transitivity (\int[P]_x ((X x ^+ 2)%:E + ((- (2 * m) * X x)%:E + (m ^+ 2)%:E)))%E.
  apply: eq_integral => x _; rewrite -!EFinD; congr EFin.
  by rewrite sqrrB addrA mulNr -mulrA mulr_natl [m * _]mulrC.
rewrite integralD //; last exact: (integrableD measurableT Z1 c1).
rewrite (integralD measurableT Z1 c1) (integral_cst P measurableT (m ^+ 2)%:E) P1 mule1.
congr (_ + _)%E.
rewrite -/(emean P X) -mE -[X in (X + _)%E]/(emean P (fun x => - (2 * m) * X x)).
rewrite mean_scale // -mE -!EFinM -EFinD -EFinN; congr EFin.
by rewrite expr2 mulNr -mulrA mulr_natl mulr2n opprD addrNK.
Qed.
End Moments.

(* d = 1: E[(UV)^2] = E[U^2] E[V^2] *)
Lemma mean_mul_sqr d1 d2 (T1 : measurableType d1) (T2 : measurableType d2) (R : realType)
    (P1 : {measure set T1 -> \bar R}) (P2 : {measure set T2 -> \bar R})
    (sP2 : sigma_finite setT P2) (U : T1 -> R) (V : T2 -> R) :
  L2 P1 U -> L2 P2 V ->
  emean (product_measure1 P1 sP2) (fun z => (U z.1 * V z.2) ^+ 2) =
  (emean P1 (fun x => U x ^+ 2)%R * emean P2 (fun y => V y ^+ 2)%R)%E.
Proof.
move=> [_ U2] [_ V2]; rewrite -[RHS](integral_prod sP2 U2 V2).
by apply: eq_integral => z _; rewrite exprMn.
Qed.

Section Dot.
Context d1 d2 (T1 : measurableType d1) (T2 : measurableType d2) (R : realType).
Variables (P1 : {measure set T1 -> \bar R}) (P2 : {measure set T2 -> \bar R}).
Hypotheses (P1_1 : P1 setT = 1%E) (P2_1 : P2 setT = 1%E).
Let P := product_measure1 P1 (proba_sigma_finite P2_1).
Variables (n : nat) (q : 'I_n -> T1 -> R) (k : 'I_n -> T2 -> R).
Hypotheses (q2 : forall i, L2 P1 (q i)) (k2 : forall i, L2 P2 (k i)).

Definition edot (z : T1 * T2) : R := \sum_i q i z.1 * k i z.2.

Lemma product1 : P setT = 1%E.
Proof. by rewrite -setMTT [LHS]product_measure1E // P1_1 P2_1 mule1. Qed.

Lemma L1_dot : L1 P edot.
Proof.
exact: (integral_fsum (fun i => L1_prod _ (L2_L1 P1_1 (q2 i)) (L2_L1 P2_1 (k2 i)))).1.
Qed.

Lemma mean_dot : emean P edot = (\sum_i emean P1 (q i) * emean P2 (k i))%E.
Proof.
have q1 i := L2_L1 P1_1 (q2 i); have k1 i := L2_L1 P2_1 (k2 i).
rewrite /emean (integral_fsum (fun i => L1_prod _ (q1 i) (k1 i))).2.
by apply: eq_bigr => i _; exact: integral_prod.
Qed.

Let qq i j := L2_mul (q2 i) (q2 j).
Let kk i j := L2_mul (k2 i) (k2 j).
Let cross p := L1_prod (proba_sigma_finite P2_1) (qq p.1 p.2) (kk p.1 p.2).

Lemma dot_sqrE z : edot z ^+ 2 = \sum_p (q p.1 z.1 * q p.2 z.1) * (k p.1 z.2 * k p.2 z.2).
Proof.
rewrite expr2 /edot big_distrlr pair_big /=.
by apply: eq_bigr => p _; rewrite mulrACA.
Qed.

Lemma L2_dot : L2 P edot.
Proof.
split; first exact: L1_measurable L1_dot.
by rewrite (funext dot_sqrE); exact: (integral_fsum cross).1.
Qed.

Lemma mean_dot_sqr : emean P (fun z => edot z ^+ 2) =
  (\sum_i \sum_j emean P1 (fun x => q i x * q j x)%R * emean P2 (fun y => k i y * k j y)%R)%E.
Proof.
rewrite (funext dot_sqrE) /emean (integral_fsum cross).2 pair_big.
by apply: eq_bigr => p _; exact: integral_prod.
Qed.

Lemma mean_dot_sqr_tr :
  emean P (fun z => edot z ^+ 2) = (\tr (moment2 P1 q *m moment2 P2 k))%:E.
Proof.
rewrite mean_dot_sqr /mxtrace -sumEFin; apply: eq_bigr => i _.
rewrite mxE -sumEFin; apply: eq_bigr => j _; rewrite !mxE EFinM.
rewrite !fineK ?L1_fin_num //; try exact: L2_mul.
by congr (_ * _)%E; apply: eq_integral => y _; rewrite mulrC.
Qed.

Lemma Var_dot_gen : evar P edot =
  (\tr (moment2 P1 q *m moment2 P2 k) -
   (\sum_i fine (emean P1 (q i)) * fine (emean P2 (k i))) ^+ 2)%:E.
Proof.
rewrite (VarE product1 L2_dot) mean_dot_sqr_tr.
suff -> : emean P edot = (\sum_i fine (emean P1 (q i)) * fine (emean P2 (k i)))%:E.
  by rewrite expr2.
rewrite mean_dot -sumEFin; apply: eq_bigr => i _; rewrite EFinM.
by rewrite !fineK // L1_fin_num //; exact: L2_L1.
Qed.

Hypothesis mean0 : forall i, emean P1 (q i) = 0%E \/ emean P2 (k i) = 0%E.

Lemma mean_dot0 : emean P edot = 0%E.
Proof. by rewrite mean_dot big1 // => i _; case: (mean0 i) => ->; rewrite ?mul0e ?mule0. Qed.

Lemma Var_dot_tr : evar P edot = (\tr (moment2 P1 q *m moment2 P2 k))%:E.
Proof.
rewrite -mean_dot_sqr_tr /evar mean_dot0.
by apply: eq_integral => z _; rewrite subr0.
Qed.

End Dot.

(* The same on any probability space: q = (q_i(X)), k = (k_i(Y)) with X, Y independent. *)
Section Pushforward.
Context d d' (Om : measurableType d) (T : measurableType d') (R : realType).
Variables (P : {measure set Om -> \bar R}) (X : Om -> T) (mX : measurable_fun setT X).
Let Q : {measure set T -> \bar R} := [the measure _ _ of pushforward P mX].

Lemma pushforward1 : P setT = 1%E -> Q setT = 1%E.
Proof. by []. Qed.

Lemma mean_pushforward f : measurable_fun setT f -> emean Q f = emean P (f \o X).
Proof.
move=> /EFin_measurable_fun mf; rewrite /emean integralE [RHS]integralE.
congr (_ - _)%E; apply: (integral_pushforward mX P) => //.
- exact: emeasurable_fun_funepos.
- exact: emeasurable_fun_funeneg.
Qed.

Lemma L1_pushforward f : measurable_fun setT f -> L1 P (f \o X) -> L1 Q f.
Proof.
move=> mf [_ foo]; split; first exact/EFin_measurable_fun.
rewrite integral_pushforward //.
by apply/EFin_measurable_fun; exact: measurable_fun_comp.
Qed.

Lemma L2_pushforward f : measurable_fun setT f -> L2 P (f \o X) -> L2 Q f.
Proof.
by move=> mf [_ f2]; split=> //; apply: L1_pushforward f2; exact: measurable_fun_sqr.
Qed.

Lemma moment2_pushforward n (q : 'I_n -> T -> R) :
  (forall i, measurable_fun setT (q i)) -> moment2 Q q = moment2 P (fun i => q i \o X).
Proof.
move=> mq; apply/matrixP => i j; rewrite !mxE; congr fine.
by apply: mean_pushforward; exact: measurable_funM.
Qed.
End Pushforward.

Section Independent.
Context d d1 d2 (Om : measurableType d) (T1 : measurableType d1)
  (T2 : measurableType d2) (R : realType).
Variable P : {measure set Om -> \bar R}.
Hypothesis P_1 : P setT = 1%E.
Variables (X : Om -> T1) (Y : Om -> T2).
Hypotheses (mX : measurable_fun setT X) (mY : measurable_fun setT Y).

Hypothesis indXY : General.independent_pair P X Y.

Variables (n : nat) (q : 'I_n -> T1 -> R) (k : 'I_n -> T2 -> R).
Hypotheses (mq : forall i, measurable_fun setT (q i)) (mk : forall i, measurable_fun setT (k i)).
Hypotheses (q2 : forall i, L2 P (q i \o X)) (k2 : forall i, L2 P (k i \o Y)).

Let XY w := (X w, Y w).
Let mXY : measurable_fun setT XY.
Proof. by apply/prod_measurable_funP. Qed.

Let Q1 : {measure set T1 -> \bar R} := [the measure _ _ of pushforward P mX].
Let Q2 : {measure set T2 -> \bar R} := [the measure _ _ of pushforward P mY].
Let Q := product_measure1 Q1 (proba_sigma_finite (pushforward1 mY P_1)).

Lemma joint_law C : measurable C -> Q C = pushforward P mXY C.
Proof.
apply: product_measure_unique; first exact/proba_sigma_finite/pushforward1.
by move=> A B mA mB; exact: indXY.
Qed.

Lemma mean_joint f : measurable_fun setT f -> emean Q f = emean P (f \o XY).
Proof.
move=> mf; rewrite -(mean_pushforward P mXY mf).
by apply: eq_measure_integral => A mA _; exact: joint_law.
Qed.

Let q2' i : L2 Q1 (q i). Proof. exact: L2_pushforward. Qed.
Let k2' i : L2 Q2 (k i). Proof. exact: L2_pushforward. Qed.

Local Notation dotXY := (fun w => \sum_i q i (X w) * k i (Y w)).

Let mdot : measurable_fun setT (edot q k).
Proof. exact: L1_measurable (L1_dot (pushforward1 mX P_1) (pushforward1 mY P_1) q2' k2'). Qed.

Lemma mean_dot_indep : emean P dotXY = (\sum_i emean P (q i \o X) * emean P (k i \o Y))%E.
Proof.
rewrite -(mean_joint mdot) mean_dot //.
apply: eq_bigr => i _; congr (_ * _)%E.
- exact: (mean_pushforward P mX (mq i)).
- exact: (mean_pushforward P mY (mk i)).
Qed.

Lemma mean_dot_sqr_indep : emean P (fun w => (\sum_i q i (X w) * k i (Y w)) ^+ 2) =
  (\tr (moment2 P (fun i => q i \o X) *m moment2 P (fun i => k i \o Y)))%:E.
Proof.
rewrite -(moment2_pushforward P mX mq) -(moment2_pushforward P mY mk).
rewrite -(mean_dot_sqr_tr (pushforward1 mY P_1) q2' k2').
by apply/esym/mean_joint/measurable_fun_sqr.
Qed.

Hypothesis mean0 : forall i, emean P (q i \o X) = 0%E \/ emean P (k i \o Y) = 0%E.

Lemma Var_dot_indep : evar P dotXY =
  (\tr (moment2 P (fun i => q i \o X) *m moment2 P (fun i => k i \o Y)))%:E.
Proof.
rewrite -mean_dot_sqr_indep /evar mean_dot_indep big1 => [|i _].
  by apply: eq_integral => w _; rewrite subr0.
by case: (mean0 i) => ->; rewrite ?mul0e ?mule0.
Qed.
End Independent.


(* E(UV) = E(U)E(V) for integrable independent U, V; for non-negative ones also in [0, oo] *)
Section Pair.
Context d (Om : measurableType d) (R : realType) (P : {measure set Om -> \bar R}).
Hypothesis P_1 : P setT = 1%E.
Variables (U V : Om -> R).
Hypotheses (mU : measurable_fun setT U) (mV : measurable_fun setT V).
Hypothesis indUV : General.independent_pair P U V.

Let Q1 : {measure set R -> \bar R} := [the measure _ _ of pushforward P mU].
Let Q2 : {measure set R -> \bar R} := [the measure _ _ of pushforward P mV].
Let sQ2 := proba_sigma_finite (pushforward1 mV P_1).
Let Q := product_measure1 Q1 sQ2.

Let mid : measurable_fun setT (id : R -> R).
Proof. exact: measurable_fun_id. Qed.

Lemma emean_mul_indep : L1 P U -> L1 P V ->
  emean P (fun w => U w * V w) = (emean P U * emean P V)%E.
Proof.
move=> U1 V1; have Q1id : L1 Q1 id by apply: L1_pushforward.
have Q2id : L1 Q2 id by apply: L1_pushforward.
have mh : measurable_fun setT (fun z : R * R => z.1 * z.2).
  exact: (measurable_prod_fun Q1id Q2id).
rewrite -[LHS](mean_joint P_1 mU mV indUV mh) [LHS](integral_prod sQ2 Q1id Q2id).
congr (_ * _)%E; [exact: (mean_pushforward P mU mid) | exact: (mean_pushforward P mV mid)].
Qed.

Lemma L1_mul_indep : L1 P U -> L1 P V -> L1 P (fun w => U w * V w).
Proof.
move=> U1 V1; have Q1id : L1 Q1 id by apply: L1_pushforward.
have Q2id : L1 Q2 id by apply: L1_pushforward.
have h1 := L1_prod sQ2 Q1id Q2id; have mh := L1_measurable h1.
have mn : measurable_fun setT (fun z : R * R => `|z.1 * z.2|) by exact: measurable_fun_comp.
split; first by apply/EFin_measurable_fun; exact: measurable_funM.
have e := mean_joint P_1 mU mV indUV mn.
rewrite [X in (X < _)%E](_ : _ = emean Q (fun z => `|z.1 * z.2|)); last by rewrite e.
by case: h1.
Qed.

Lemma emean_mul_ge0_indep (f g : R -> R) :
  measurable_fun setT f -> measurable_fun setT g -> (forall x, 0 <= f x) -> (forall x, 0 <= g x) ->
  emean P (fun w => f (U w) * g (V w)) = (emean P (f \o U) * emean P (g \o V))%E.
Proof.
move=> mf mg f0 g0.
have mh : measurable_fun setT (fun z : R * R => f z.1 * g z.2).
  apply: measurable_funM; first exact: measurable_fun_comp mf (@measurable_fun_fst _ _ _ _).
  exact: measurable_fun_comp mg (@measurable_fun_snd _ _ _ _).
rewrite -[LHS](mean_joint P_1 mU mV indUV mh).
rewrite -(mean_pushforward P mU mf) -(mean_pushforward P mV mg).
have Ef : measurable_fun setT (EFin \o f) by apply/EFin_measurable_fun.
have Eg : measurable_fun setT (EFin \o g) by apply/EFin_measurable_fun.
rewrite /emean (@fubini_tonelli1 _ _ _ _ _ Q1 Q2 sQ2 (fun z => (f z.1 * g z.2)%:E)); first last.
- by move=> z; rewrite lee_fin mulr_ge0.
- exact/EFin_measurable_fun.
rewrite /fubini_F /= -[RHS]muleC -ge0_integralM //; first last.
- by apply: integral_ge0 => x _; rewrite lee_fin.
- by move=> x _; rewrite lee_fin.
apply: eq_integral => x _; rewrite muleC -ge0_integralM ?lee_fin //.
by move=> y _; rewrite lee_fin.
Qed.
End Pair.

(* c q . k for independent centred vectors, Cov(q) the identity, ones on the diagonal of Cov(k) *)
Section Isotropic.
Context d d1 d2 (Om : measurableType d) (T1 : measurableType d1) (T2 : measurableType d2).
Context (R : realType) (P : {measure set Om -> \bar R}).
Hypothesis P_1 : P setT = 1%E.
Variables (X : Om -> T1) (Y : Om -> T2).
Hypotheses (mX : measurable_fun setT X) (mY : measurable_fun setT Y).
Hypothesis indXY : General.independent_pair P X Y.
Variables (n : nat) (q : 'I_n -> T1 -> R) (k : 'I_n -> T2 -> R).
Hypotheses (mq : forall i, measurable_fun setT (q i)) (mk : forall i, measurable_fun setT (k i)).
Hypotheses (q2 : forall i, L2 P (q i \o X)) (k2 : forall i, L2 P (k i \o Y)).
Hypothesis q0 : forall i, emean P (q i \o X) = 0%E.
Hypothesis q_iso : forall i j, fine (emean P (fun w => q i (X w) * q j (X w))) = (i == j)%:R.
Hypothesis k_one : forall i, fine (emean P (fun w => k i (Y w) * k i (Y w))) = 1.
Variable c : R.

Let cq i x := c * q i x.

Let mcq i : measurable_fun setT (cq i).
Proof. by apply: measurable_funM => //; exact: measurable_fun_cst. Qed.

Let cq2 i : L2 P (cq i \o X).
Proof.
have [m2 i2] := q2 i; split; first exact: measurable_fun_comp (mcq i) mX.
rewrite (_ : (fun w => _) = fun w => c ^+ 2 * (q i (X w)) ^+ 2); last first.
  by apply/funext => w; rewrite /= /cq exprMn.
exact: (integrablerM measurableT _ i2).
Qed.

Let cq0 i : emean P (cq i \o X) = 0%E.
Proof. by rewrite [LHS](mean_scale c (L2_L1 P_1 (q2 i))) q0 mule0. Qed.

Let dotE : (fun w => c * \sum_i q i (X w) * k i (Y w)) = (fun w => \sum_i cq i (X w) * k i (Y w)).
Proof. by apply/funext => w; rewrite mulr_sumr; apply: eq_bigr => i _; rewrite mulrA. Qed.

Lemma emean_dot_scaled : emean P (fun w => c * \sum_i q i (X w) * k i (Y w)) = 0%E.
Proof.
rewrite dotE (mean_dot_indep P_1 mX mY indXY mcq mk cq2 k2) big1 // => i _.
by rewrite cq0 mul0e.
Qed.

Lemma evar_dot_scaled :
  evar P (fun w => c * \sum_i q i (X w) * k i (Y w)) = (c ^+ 2 * n%:R)%:E.
Proof.
rewrite dotE (Var_dot_indep P_1 mX mY indXY mcq mk cq2 k2); last by move=> i; left; exact: cq0.
congr EFin; rewrite (_ : moment2 _ _ = (c ^+ 2)%:M); last first.
  apply/matrixP => i j; rewrite !mxE /= /cq.
  rewrite (_ : (fun w => _) = fun w => c ^+ 2 * (q i (X w) * q j (X w))); last first.
    by apply/funext => w; rewrite mulrACA -expr2.
  have fin : emean P (fun w => q i (X w) * q j (X w)) \is a fin_num.
    exact: (L1_fin_num (L2_mul (q2 i) (q2 j))).
  by rewrite (mean_scale _ (L2_mul (q2 i) (q2 j))) fineM // q_iso /= mulr_natr.
rewrite mul_scalar_mx mxtraceZ; congr (_ * _); rewrite /mxtrace (eq_bigr (fun=> 1)).
  by rewrite sumr_const card_ord.
by move=> i _; rewrite mxE k_one.
Qed.
End Isotropic.

Definition law_of_probability d (T : measurableType d) (R : realType) (P : probability T R) :
  law R := @Law R T (fun X => fine (emean (measure_of P) X)).
Coercion law_of_probability : probability >-> law.

(* functions of independent variables are independent *)
Lemma independent_comp d d1 d2 d3 d4 (Om : measurableType d) (T1 : measurableType d1)
    (T2 : measurableType d2) (T3 : measurableType d3) (T4 : measurableType d4) (R : realType)
    (P : set Om -> \bar R) (X : Om -> T1) (Y : Om -> T2) (f : T1 -> T3) (g : T2 -> T4) :
  measurable_fun setT f -> measurable_fun setT g ->
  General.independent_pair P X Y -> General.independent_pair P (f \o X) (g \o Y).
Proof.
move=> mf mg indXY A B mA mB; apply: (indXY (f @^-1` A) (g @^-1` B)).
- by rewrite -[_ @^-1` _]setTI; exact: mf.
- by rewrite -[_ @^-1` _]setTI; exact: mg.
Qed.

Lemma mean_fsum d (T : measurableType d) (R : realType) (P : probability T R) (I : finType)
    (f : I -> P -> R) : (forall i, L1 (measure_of P) (f i)) ->
  'E_w[\sum_i f i w] = \sum_i 'E_w[f i w].
Proof.
move=> f1; transitivity (fine (emean (measure_of P) (fun w => \sum_i f i w))); first by [].
rewrite /emean (integral_fsum f1).2 (eq_bigr (fun i => ('E_w[f i w])%:E)) ?sumEFin // => i _.
by rewrite fineK // L1_fin_num.
Qed.
