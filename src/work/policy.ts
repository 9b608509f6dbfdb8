// The kinds of work and what each may do, as a table. The engine reads it and knows no client.

export type Kind = 'task' | 'fix' | 'finalize';

export type Policy = Readonly<{
  /** It is a task of the plan: its steps are ticked, and a tick by hand ends it. */
  ofPlan: boolean;
  /** Continues a conversation that was cut off; else a session's prompt tells it all it needs. */
  continues: boolean;
  mayReplan: boolean;
  /** May end well without a commit if nothing had to be changed; its checks are not run then. */
  mayChangeNothing: boolean;
  /** One of its own checks turning green proves it, even if the session never said that it finished. */
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
