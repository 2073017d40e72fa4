import type { Seen } from '../../judge/observation.ts';
import type { Undoing } from '../../model/action.ts';
import type { Message } from '../../model/exchange.ts';
import type { Finding } from '../../model/finding.ts';
import type { Json } from '../../model/json.ts';
import type { Case } from '../../model/suite.ts';
import type { Client, Subscriber } from '../../model/target.ts';
import { createRedactor, type Redactor } from '../../wire/redact.ts';
import type { Inbox } from './inbox.ts';
import { createMailbox, type Mailbox } from './mailbox.ts';

/** Everything one case knows and leaves while it runs. */
export interface CaseRoom {
  readonly case: Case;
  /** Place of the case in the run. */
  readonly order: number;
  readonly client: Client;
  readonly second: Client | undefined;
  readonly subscriber: Subscriber;
  readonly redactor: Redactor;
  readonly traces: Map<string, Seen>;
  readonly inboxes: Inbox[];
  readonly messages: Message[];
  readonly findings: Finding[];
  readonly recorded: Record<string, Json>;
  /** What is to be taken back when the case ends, in the order in which it was done. */
  undo: readonly Undo[];
  answersGiven: number;
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
  readonly whose: CaseRoom;
  /** Where the change can be seen until then. */
  readonly lane: string;
  /** Under which it was noted; absent where nothing is. */
  readonly note: string | undefined;
}

export interface Cast {
  readonly client: Client;
  readonly second: Client | undefined;
  readonly subscriber: Subscriber;
}

export function openRoom(
  given: Case,
  cast: Cast,
  {
    order,
    startedAt,
    canary,
  }: Pick<CaseRoom, 'order' | 'startedAt'> & { readonly canary: Omit<CaseRoom['canary'], 'mailbox'> },
): CaseRoom {
  return {
    case: given,
    order,
    ...cast,
    redactor: createRedactor(),
    traces: new Map(),
    inboxes: [],
    messages: [],
    findings: [],
    recorded: {},
    undo: [],
    answersGiven: 0,
    eventsAnswered: new Map(),
    events: new Map(),
    canary: { ...canary, mailbox: createMailbox() },
    eventsRaised: new Map(),
    startedAt,
    lastAuthorize: undefined,
  };
}

/** Ids of messages count within the case, so that two runs give the same ones. */
export function nextMessageId(room: CaseRoom, kind: 'exchange' | 'delivery'): string {
  const before = room.messages.filter((message) => message.kind === kind).length;
  return `${room.case.id}#${kind === 'exchange' ? 'x' : 'd'}${before + 1}`;
}

/** A condition of the case is unmet: it becomes inconclusive, with this reason. */
export class Unmet extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'Unmet';
  }
}
