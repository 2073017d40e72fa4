import type { ObservationContext } from '../../judge/invariants.ts';
import { omitUndefined } from '../../lib/json.ts';
import type { Message } from '../../model/exchange.ts';
import type { Finding } from '../../model/finding.ts';
import type { Case } from '../../suite/suites.ts';
import { abridgeJson, abridgeLine } from '../../wire/record/recorder.ts';
import { createRedactor } from '../../wire/record/redactor.ts';
import {
  type Assignment,
  type CaseAttempt,
  type CaseContext,
  type CaseState,
  type RunServices,
  Unmet,
} from './case-context.ts';
import { createInbox } from './inbox.ts';
import { createScope } from './scope.ts';
import { ceilMillis } from '../../lib/time.ts';

const emptyState = (): CaseState => ({
  traces: new Map(),
  inboxes: [],
  messages: [],
  findings: [],
  recorded: {},
  acts: [],
  undo: [],
  responsesGiven: 0,
  eventsAnswered: new Map(),
  events: new Map(),
  eventsRaised: new Map(),
  shownAt: ceilMillis(0),
  lastRequest: undefined,
  unmet: undefined,
  open: [],
  incomplete: undefined,
  again: false,
  refused: false,
  isOver: false,
});

type FixedParts = Omit<CaseContext, 'as' | 'about' | 'at' | 'during' | 'within' | 'scope' | 'now' | 'wait'>;

const day = 24 * 60 * 60 * 1000;
/** Longest wait of a case, in milliseconds: real time allows for 48 hours, a virtual clock for a leap day. */
const maxCaseWait = { real: 3 * day, virtual: 10 * 365 * day };

/** Throws Unmet for a moment too far ahead: a carrier may grant a life of any length. */
function requireWaitable(due: number | undefined, what: string, { kind, now }: RunServices['timeline']): void {
  if (due === undefined || due - now() <= maxCaseWait[kind]) return;
  const [days, most] = [due - now(), maxCaseWait[kind]].map((wait) => Math.round(wait / day));
  throw new Unmet(`to wait for ${what} would take ${days} days, and a case waits ${most} at most`);
}

/** Creates a view of a case: the fixed parts may differ between views, the state is shared. */
function createView(fixed: FixedParts): CaseContext {
  const { services, case: given, client } = fixed;
  const ctx: CaseContext = {
    ...fixed,
    as: (name) => {
      if (name === undefined || name === client.name) return ctx;
      const other = services.target.clients.find((one) => one.name === name);
      if (other === undefined) throw new Unmet(`the target has no client ${name}`);
      return createView({ ...fixed, client: other });
    },
    about: (subscriber) => createView({ ...fixed, subscriber }),
    during: (repetition) => createView({ ...fixed, repetition }),
    at: (entry) => createView({ ...fixed, entry }),
    within: (other) => createView({ ...fixed, services: other }),
    scope: (extra) => createScope(ctx, extra),
    now: services.timeline.now,
    wait: async ({ for: what, ...wait }) => {
      requireWaitable(wait.due, what, services.timeline);
      return services.timeline.wait({ ...wait, label: { case: given.id, for: what } });
    },
  };
  return ctx;
}

export interface ContextOpening {
  readonly case: Case;
  readonly assignment: Assignment;
  readonly order?: number;
  readonly attempt?: CaseAttempt;
}

/** Opens the context of a case that begins now, with its own canary. */
export function openContext(
  services: RunServices,
  { case: given, assignment, order = 0, attempt }: ContextOpening,
): CaseContext {
  const path = `/canary/${services.random(8)}`;
  return createView({
    ...assignment,
    services,
    case: given,
    order,
    ...omitUndefined({ attempt }),
    startedAt: services.timeline.now(),
    redactor: createRedactor(services.interface.secretMembers, services.secrets),
    canary: { path, url: `${services.receiver}${path}`, inbox: createInbox() },
    state: emptyState(),
  });
}

/** Next message id, counted within the case so that runs give equal ids: `a-case#x1`, `a-case#again-x1`. */
export function nextMessageId(
  { case: { id }, attempt, state }: Pick<CaseContext, 'attempt' | 'case' | 'state'>,
  kind: Message['kind'],
): string {
  const before = state.messages.filter((message) => message.kind === kind).length;
  const number = `${kind === 'exchange' ? 'x' : 'd'}${before + 1}`;
  if (attempt === undefined) return `${id}#${number}`;
  const { of, name, time } = attempt;
  const which = name === 'control' ? `${name}-${id}` : name;
  return `${of}#${which}-${time === 1 ? '' : `${time}-`}${number}`;
}

/** Redacts the case's secrets in a finding, and abridges long values. */
export function redactFinding(finding: Finding, { redactor }: Pick<CaseContext, 'redactor'>): Finding {
  const { expected, actual, path, headers } = finding;
  return {
    ...finding,
    expected: abridgeJson(redactor.json(expected)),
    actual: abridgeJson(redactor.json(actual)),
    ...omitUndefined({ path: path === undefined ? undefined : abridgeLine(redactor.text(path)) }),
    ...omitUndefined({ headers: headers?.map((name) => abridgeLine(redactor.text(name))) }),
  };
}

/** Adds findings of a case, each with the number of acts of people before it. */
export function addFindings(
  found: readonly Finding[],
  { acts, findings }: Pick<CaseState, 'acts' | 'findings'>,
  afterActs: number = acts.length,
): void {
  findings.push(...(afterActs === 0 ? found : found.map((finding) => ({ ...finding, afterActs }))));
}

/** Context in which invariants see a message; `extra` has the roots about it. */
export const observationContext = (
  ctx: Pick<CaseContext, 'case' | 'order' | 'redactor' | 'scope'>,
  extra: Readonly<Record<string, unknown>>,
): ObservationContext => ({
  caseId: ctx.case.id,
  order: ctx.order,
  scope: ctx.scope(extra),
  redact: (finding) => redactFinding(finding, ctx),
});
