// The kinds of work and what each may do, as a table. The engine asks it and knows no client.

/** A task of the plan, the mending of a review's findings, or the last session by the user's own prompt. */
export type Kind = 'task' | 'fix' | 'finalize';

/** What a kind of work may do, and how it may end. */
export type Policy = Readonly<{
  /** It is a task of the plan: its steps are ticked, and a tick by hand ends it. */
  ofPlan: boolean;
  /** Goes on with a conversation that was cut off; else what a session is asked is all it has to know. */
  continues: boolean;
  /** May ask for another plan. */
  mayReplan: boolean;
  /** Ends well without a commit where nothing had to be changed; its checks are not run then. */
  mayChangeNothing: boolean;
  /** May put other commits with the same files in the place of the run's. */
  mayRewrite: boolean;
  /** A check of its own that turned green proves it, also where the session never said that it had finished. */
  provedByChecks: boolean;
}>;

/** The policy of each kind. */
export const policies: Readonly<Record<Kind, Policy>> = {
  task: {
    ofPlan: true,
    continues: true,
    mayReplan: true,
    mayChangeNothing: false,
    mayRewrite: false,
    provedByChecks: true,
  },
  fix: {
    ofPlan: false,
    continues: false,
    mayReplan: false,
    mayChangeNothing: true,
    mayRewrite: false,
    provedByChecks: false,
  },
  finalize: {
    ofPlan: false,
    continues: false,
    mayReplan: false,
    mayChangeNothing: true,
    mayRewrite: true,
    provedByChecks: false,
  },
};
