import type { Observation } from '../../judge/observation.ts';
import type { Undoing } from '../../model/action.ts';
import type { Message } from '../../model/exchange.ts';
import type { Finding } from '../../model/finding.ts';
import type { Json } from '../../model/json.ts';
import type { Client, Subscriber } from '../../model/target.ts';
import { createRedactor, type Redactor } from '../../wire/record/redact.ts';
import type { Inbox } from './inbox.ts';
import { createMailbox, type Mailbox } from './mailbox.ts';
import type { Case } from '../../suite/suites.ts';

/** Everything one case knows and leaves while it runs. */
export interface CaseContext {
  readonly case: Case;
  /** Place of the case in the run. */
  readonly order: number;
  readonly client: Client;
  readonly second: Client | undefined;
  readonly subscriber: Subscriber;
  readonly redactor: Redactor;
  readonly traces: Map<string, Observation>;
  readonly inboxes: Inbox[];
  readonly messages: Message[];
  readonly findings: Finding[];
  readonly recorded: Record<string, Json>;
  /** What is to be taken back when the case ends, in the order in which it was done. */
  undo: readonly Undo[];
  responsesGiven: number;
  /** Events answered so far, by SP and subscriber. */
  readonly eventsAnswered: Map<string, number>;
  /** Of events, by SP and subscriber. */
  readonly events: Map<string, Mailbox>;
  readonly canary: { readonly path: string; readonly url: string; readonly mailbox: Mailbox };
  /** When the last action that may raise events of a subscriber was triggered, by name; milliseconds. */
  readonly eventsRaised: Map<string, number>;
  startedAt: number;
  lastAuthorize: string | undefined;
}

/** What takes a change back. */
export interface Undo {
  readonly undoing: Undoing;
  /** The step that changed it, and which request that was about. */
  readonly step: string;
  readonly of: string | undefined;
  readonly whose: CaseContext;
  /** Where the change can be seen until then. */
  readonly lock: string;
  /** Under which it was noted; absent where nothing is. */
  readonly note: string | undefined;
}

export interface Assignment {
  readonly client: Client;
  readonly second: Client | undefined;
  readonly subscriber: Subscriber;
}

export function openContext(
  given: Case,
  assignment: Assignment,
  {
    order,
    startedAt,
    canary,
  }: Pick<CaseContext, 'order' | 'startedAt'> & { readonly canary: Omit<CaseContext['canary'], 'mailbox'> },
): CaseContext {
  return {
    case: given,
    order,
    ...assignment,
    redactor: createRedactor(),
    traces: new Map(),
    inboxes: [],
    messages: [],
    findings: [],
    recorded: {},
    undo: [],
    responsesGiven: 0,
    eventsAnswered: new Map(),
    events: new Map(),
    canary: { ...canary, mailbox: createMailbox() },
    eventsRaised: new Map(),
    startedAt,
    lastAuthorize: undefined,
  };
}

/** Ids of messages count within the case, so that two runs give the same ones. */
export function nextMessageId(ctx: CaseContext, kind: 'exchange' | 'delivery'): string {
  const before = ctx.messages.filter((message) => message.kind === kind).length;
  return `${ctx.case.id}#${kind === 'exchange' ? 'x' : 'd'}${before + 1}`;
}

/** A condition of the case is unmet: it becomes inconclusive, with this reason. */
export class Unmet extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'Unmet';
  }
}
