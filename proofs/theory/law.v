From mathcomp Require Import all_ssreflect ssralg ssrnum.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Expectation, variance and the hypotheses that speak of them alone. A law is a type of outcomes
   with an expectation operator; finite laws (finite_law.v) and probability measures
   (general_law.v) are laws, so that each hypothesis below is one definition for both. *)

Structure law (R : ringType) := Law { outcome :> Type; mean : (outcome -> R) -> R }.
Arguments mean {R l} X : simpl never, rename.

Reserved Notation "''E_' w [ F ]" (at level 0, w name, format "''E_' w [ F ]").
Reserved Notation "''Var_' w [ F ]" (at level 0, w name, format "''Var_' w [ F ]").
Reserved Notation "''Cov_' w [ F , G ]" (at level 0, w name, format "''Cov_' w [ F ,  G ]").
Reserved Notation "''Pr_' w [ A ]" (at level 0, w name, format "''Pr_' w [ A ]").

Notation "''E_' w [ F ]" := (mean (fun w => F)) : ring_scope.

Section Moments.
Variables (R : ringType) (P : law R).
Implicit Types X Y : P -> R.

Definition covariance X Y : R := 'E_w[(X w - 'E_v[X v]) * (Y w - 'E_v[Y v])].
Definition variance X : R := 'E_w[(X w - 'E_v[X v]) ^+ 2].
Definition prob (A : P -> bool) : R := 'E_w[(A w)%:R].
End Moments.

Notation "''Var_' w [ F ]" := (variance (fun w => F)) : ring_scope.
Notation "''Cov_' w [ F , G ]" := (covariance (fun w => F) (fun w => G)) : ring_scope.
Notation "''Pr_' w [ A ]" := (prob (fun w => A)) : ring_scope.

Section Families.
Variables (R : ringType) (P : law R).

(* a single variable as a family, and the 2d components of two vectors as one family *)
Definition single (X : P -> R) : unit -> P -> R := fun _ => X.
Definition components d (q k : 'I_d -> P -> R) : 'I_d + 'I_d -> P -> R :=
  fun p w => match p with inl i => q i w | inr i => k i w end.

(* the logit q . k *)
Definition dot d (q k : 'I_d -> P -> R) (w : P) : R := \sum_i q i w * k i w.

Definition zero_mean I (X : I -> P -> R) := forall i, 'E_w[X i w] = 0.

Definition unit_variance I (X : I -> P -> R) := forall i, 'Var_w[X i w] = 1.

Definition uncorrelated_terms (I : eqType) (X : I -> P -> R) :=
  forall i j, i != j -> 'Cov_w[X i w, X j w] = 0.

(* the covariance matrix of q is the identity and that of k has ones on its diagonal *)
Definition identity_covariance d (q k : 'I_d -> P -> R) :=
  (forall i j, 'Cov_w[q i w, q j w] = (i == j)%:R) /\ (forall i, 'Var_w[k i w] = 1).

Definition positive_dimension (d : nat) := (0 < d)%N.
Definition two_or_more_dimensions (d : nat) := (1 < d)%N.
End Families.
