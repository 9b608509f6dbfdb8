// The kinds of work and what each may do. The engine knows no client.

export type Kind = 'task' | 'fix' | 'finalize';

export type Policy = Readonly<{
  /** Its steps are ticked, and a tick by hand ends it. */
  ofPlan: boolean;
  /** A cut-off conversation; else the prompt tells all. */
  continues: boolean;
  mayReplan: boolean;
  /** If nothing had to be changed, it ends well without commit or checks. */
  mayChangeNothing: boolean;
  /** An own check turned green proves it, without a word of the session. */
  provedByChecks: boolean;
}>;

export const policies: Readonly<Record<Kind, Policy>> = {
  task: {
    ofPlan: true,
    continues: true,
    mayReplan: true,
    mayChangeNothing: false,
    provedByChecks: true,
  },
  fix: {
    ofPlan: false,
    continues: false,
    mayReplan: false,
    mayChangeNothing: true,
    provedByChecks: false,
  },
  finalize: {
    ofPlan: false,
    continues: false,
    mayReplan: false,
    mayChangeNothing: true,
    provedByChecks: false,
  },
};
