From mathcomp Require Import all_ssreflect ssralg ssrnum.
From mathcomp.classical Require Import boolp classical_sets functions mathcomp_extra.
From mathcomp.analysis Require Import reals signed ereal numfun measure lebesgue_measure.
From mathcomp.analysis Require Import lebesgue_integral.
From rootdk.theory Require Import law coins general_law.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Def Num.Theory.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

(* Probability measures for instances and counterexamples: a fair coin, and pairs of independent
   outcomes *)

Section Coin.
Variable R : realType.
Let half : {nonneg R} := (2%:R^-1 : R)%:nng.
Let heads : {measure set bool -> \bar R} := [the measure _ _ of dirac true].
Let tails : {measure set bool -> \bar R} := [the measure _ _ of dirac false].
Let both : {measure set bool -> \bar R} :=
  [the measure _ _ of msum (fun n => if n is 0%N then heads else tails) 2].
Let m : {measure set bool -> \bar R} := [the measure _ _ of mscale half both].

Let mE A : m A = ((2%:R^-1)%:E * ((\1_A true)%:E + (\1_A false)%:E))%E.
Proof.
by transitivity ((2%:R^-1)%:E * measure_add heads tails A)%E => //; rewrite measure_addE.
Qed.

Let m1 : m setT = 1%E.
Proof. by rewrite mE !indicE !in_setT -EFinD -EFinM mulVf. Qed.

Definition general_coin : probability bool R := Probability m1.

Lemma measurable_coin d (T : measurableType d) (f : bool -> T) : measurable_fun setT f.
Proof. by []. Qed.

Let in_set1 (x b : bool) : (x \in [set b]) = (x == b).
Proof. by apply/idP/eqP; rewrite inE. Qed.

Let m_set1 (b : bool) : m [set b] = (2%:R^-1)%:E.
Proof. by rewrite mE !indicE !in_set1; case: b; rewrite /= ?adde0 ?add0e mule1. Qed.

Let L1_indic (b : bool) : L1 m (\1_[set b]).
Proof.
split; first by apply/EFin_measurable_fun.
rewrite (_ : \int[m]_x _ = \int[m]_x (\1_[set b] x)%:E)%E.
  by rewrite integral_indic // setIT [X in (X < _)%E]m_set1 ltry.
by apply: eq_integral => x _; rewrite gee0_abs // lee_fin.
Qed.

Let coin_split (f : bool -> R) : f = fun x => \sum_b f b * \1_[set b] x.
Proof.
apply/funext => x; rewrite big_bool /= !indicE !in_set1.
by case: x; rewrite /= !(mulr1, mulr0, addr0, add0r).
Qed.

Let L1_part (f : bool -> R) b : L1 m (fun x => f b * \1_[set b] x).
Proof. exact: (integrablerM measurableT (f b) (L1_indic b)). Qed.

Lemma L1_coin (f : bool -> R) : L1 (measure_of general_coin) f.
Proof. by rewrite [f]coin_split; exact: (integral_fsum (L1_part f)).1. Qed.

Lemma L2_coin (f : bool -> R) : L2 (measure_of general_coin) f.
Proof. by split=> //; exact: L1_coin. Qed.

Lemma emean_coin (f : bool -> R) :
  emean (measure_of general_coin) f = ((f true + f false) / 2%:R)%:E.
Proof.
rewrite /emean [f in LHS]coin_split (integral_fsum (L1_part f)).2 big_bool /=.
have part b : (\int[m]_x (f b * \1_[set b] x)%:E = (f b / 2%:R)%:E)%E.
  rewrite [LHS](mean_scale (f b) (L1_indic b)) /emean integral_indic // setIT.
  by rewrite [X in (_ * X)%E]m_set1.
by rewrite !part -EFinD mulrDl.
Qed.

Lemma emean_sign : emean (measure_of general_coin) sign = 0%E.
Proof. by rewrite emean_coin subrr mul0r. Qed.

Lemma emean_sign_sqr : emean (measure_of general_coin) (fun b => sign b * sign b) = 1%E.
Proof. by rewrite emean_coin mulrNN mul1r -mulr2n -mulr_natr divff ?pnatr_eq0. Qed.

Lemma emean_shifted_sqr : emean (measure_of general_coin) (fun b => shifted b ^+ 2) = 2%:R%:E.
Proof. by rewrite emean_coin /shifted /sign subrr expr0n addr0 -[1 + 1]/(2%:R) expr2 mulfK. Qed.
End Coin.

(* two independent outcomes *)
Section Pair.
Context d1 d2 (T1 : measurableType d1) (T2 : measurableType d2) (R : realType).
Variables (P1 : probability T1 R) (P2 : probability T2 R).

Let sigma := proba_sigma_finite (total_mass P2).

Definition pair_law : probability [the measurableType _ of (T1 * T2)%type] R :=
  Probability (product1 (total_mass P1) (total_mass P2)).

Lemma pair_independent d3 d4 (T3 : measurableType d3) (T4 : measurableType d4)
    (f : T1 -> T3) (g : T2 -> T4) :
  measurable_fun setT f -> measurable_fun setT g ->
  General.independent_pair (measure_of pair_law) (fun z => f z.1) (fun z => g z.2).
Proof.
move=> mf mg A B mA mB.
have fA : measurable (f @^-1` A) by rewrite -[_ @^-1` _]setTI; exact: mf.
have gB : measurable (g @^-1` B) by rewrite -[_ @^-1` _]setTI; exact: mg.
have E (C : set T1) (D : set T2) : measurable C -> measurable D ->
    measure_of pair_law (C `*` D) = (measure_of P1 C * measure_of P2 D)%E.
  exact: product_measure1E.
rewrite (_ : _ `&` _ = (f @^-1` A) `*` (g @^-1` B)) // E //.
rewrite (_ : (fun z : T1 * T2 => f z.1) @^-1` A = (f @^-1` A) `*` setT); last first.
  by apply/seteqP; split=> z //= -[].
rewrite (_ : (fun z : T1 * T2 => g z.2) @^-1` B = setT `*` (g @^-1` B)); last first.
  by apply/seteqP; split=> z //= -[].
by rewrite !E // !total_mass mule1 mul1e.
Qed.

Lemma L1_pair (f : T1 -> R) (g : T2 -> R) :
  L1 (measure_of P1) f -> L1 (measure_of P2) g ->
  L1 (measure_of pair_law) (fun z => f z.1 * g z.2).
Proof. exact: L1_prod. Qed.

Lemma emean_pair (f : T1 -> R) (g : T2 -> R) :
  L1 (measure_of P1) f -> L1 (measure_of P2) g ->
  emean (measure_of pair_law) (fun z => f z.1 * g z.2) =
  (emean (measure_of P1) f * emean (measure_of P2) g)%E.
Proof. exact: integral_prod. Qed.

Let one1 : L1 (measure_of P1) (cst 1). Proof. exact: L1_cst (total_mass P1). Qed.
Let one2 : L1 (measure_of P2) (cst 1). Proof. exact: L1_cst (total_mass P2). Qed.

Let emean_one d (T : measurableType d) (P : probability T R) : emean (measure_of P) (cst 1) = 1%E.
Proof. by rewrite /emean (integral_cst _ measurableT 1%E) total_mass mule1. Qed.

Lemma L1_first (f : T1 -> R) :
  L1 (measure_of P1) f -> L1 (measure_of pair_law) (fun z => f z.1).
Proof.
move=> f1; have := L1_pair f1 one2.
by rewrite (_ : (fun z => _) = fun z => f z.1) //; apply/funext => z; rewrite mulr1.
Qed.

Lemma L1_second (g : T2 -> R) :
  L1 (measure_of P2) g -> L1 (measure_of pair_law) (fun z => g z.2).
Proof.
move=> g1; have := L1_pair one1 g1.
by rewrite (_ : (fun z => _) = fun z => g z.2) //; apply/funext => z; rewrite mul1r.
Qed.

Lemma L2_first (f : T1 -> R) :
  L2 (measure_of P1) f -> L2 (measure_of pair_law) (fun z => f z.1).
Proof.
move=> [mf f2]; split; first exact: measurable_fun_comp mf (@measurable_fun_fst _ _ _ _).
exact: (L1_first f2).
Qed.

Lemma L2_second (g : T2 -> R) :
  L2 (measure_of P2) g -> L2 (measure_of pair_law) (fun z => g z.2).
Proof.
move=> [mg g2]; split; first exact: measurable_fun_comp mg (@measurable_fun_snd _ _ _ _).
exact: (L1_second g2).
Qed.

Lemma emean_first (f : T1 -> R) : L1 (measure_of P1) f ->
  emean (measure_of pair_law) (fun z => f z.1) = emean (measure_of P1) f.
Proof.
move=> f1; rewrite -[RHS]mule1 -(emean_one P2) -emean_pair //.
by apply: eq_integral => z _; rewrite mulr1.
Qed.

Lemma emean_second (g : T2 -> R) : L1 (measure_of P2) g ->
  emean (measure_of pair_law) (fun z => g z.2) = emean (measure_of P2) g.
Proof.
move=> g1; rewrite -[RHS]mul1e -(emean_one P1) -emean_pair //.
by apply: eq_integral => z _; rewrite mul1r.
Qed.
End Pair.

(* for centred variables *)
Section Centred.
Context d (T : measurableType d) (R : realType) (P : probability T R).
Implicit Types X Y : P -> R.

Lemma covariance_centred X Y : mean X = 0 -> mean Y = 0 -> covariance X Y = 'E_w[X w * Y w].
Proof.
by move=> X0 Y0; rewrite /covariance X0 Y0; congr mean; apply/funext => w; rewrite !subr0.
Qed.

Lemma variance_centred X : mean X = 0 -> variance X = 'E_w[X w ^+ 2].
Proof. by move=> X0; rewrite /variance X0; congr mean; apply/funext => w; rewrite subr0. Qed.
End Centred.

(* a multiple of a product of functions of two independent coins *)
Section PairOfCoins.
Variables (R : realType) (c : R) (f g : bool -> R).
Let P := pair_law (general_coin R) (general_coin R).
Let X (w : P) := c * (f w.1 * g w.2).

Lemma mean_pair_of_coins :
  mean X = c * ((f true + f false) / 2%:R * ((g true + g false) / 2%:R)).
Proof.
have f1 := L1_coin f; have g1 := L1_coin g.
transitivity (fine (emean (measure_of P) X)); first by [].
by rewrite [emean _ _](mean_scale c (L1_pair f1 g1)) emean_pair // !emean_coin.
Qed.
End PairOfCoins.

Lemma variance_pair_of_coins (R : realType) (c : R) (f g : bool -> R)
    (P := pair_law (general_coin R) (general_coin R)) (X := fun w : P => c * (f w.1 * g w.2)) :
  mean X = 0 -> variance X = c ^+ 2 *
    ((f true ^+ 2 + f false ^+ 2) / 2%:R * ((g true ^+ 2 + g false ^+ 2) / 2%:R)).
Proof.
move=> X0; rewrite variance_centred //.
rewrite -(mean_pair_of_coins _ (fun b => f b ^+ 2) (fun b => g b ^+ 2)).
by congr mean; apply/funext => w; rewrite /X !exprMn.
Qed.
