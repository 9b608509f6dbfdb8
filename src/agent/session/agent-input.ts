// Sends messages, questions and interrupts to one running agent. Does not wait for answers.
import type { Spawned } from '../../process/spawn.ts';
import type { AgentMessage, Conversation } from '../agent.ts';

export type AgentInputOptions = Readonly<{
  spawned: Spawned;
  conversation: Conversation;
  /** It accepts further messages, and answers questions. */
  isConversation: boolean;
  /** It answers questions about its cost. */
  tellsCost: boolean;
}>;

/** Speaks to one process in its agent's own protocol. */
export class AgentInput {
  readonly #options: AgentInputOptions;
  #heard = Promise.withResolvers<void>();

  constructor(options: AgentInputOptions) {
    this.#options = options;
  }

  /** It accepts further messages, and answers questions. */
  get isConversation(): boolean {
    return this.#options.isConversation;
  }

  /**
   * Resolves once the agent has begun on the last text it was sent, or never will: a message sent earlier could be read
   * first.
   */
  get heard(): Promise<void> {
    return this.#heard.promise;
  }

  /** The agent has begun on the last text, or the turn is over. */
  settle(): void {
    this.#heard.resolve();
  }

  /** Sends it; returns false if the agent's protocol cannot express it, or the agent does not accept it. */
  async say(message: AgentMessage): Promise<boolean> {
    if ('text' in message) this.#heard = Promise.withResolvers();
    const lines = this.#options.conversation.write(message);
    return lines !== undefined && this.send(lines);
  }

  /** Sends an answer that the protocol requires. */
  async send(lines: string): Promise<boolean> {
    return lines === '' || this.#options.spawned.send(lines);
  }

  ask(id: string | undefined): void {
    if (id !== undefined && this.canAsk) void this.say({ type: 'cost', id });
  }

  /** It answers questions about its cost. */
  get canAsk(): boolean {
    return this.isConversation && this.#options.tellsCost;
  }

  /** The lines that interrupt its work, if it accepts any. */
  get interruption(): string | undefined {
    return this.isConversation ? this.#options.conversation.write({ type: 'interrupt' }) : undefined;
  }
}
