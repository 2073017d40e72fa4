import type { ObservationContext } from '../../judge/invariants.ts';
import { defined } from '../../lib/json.ts';
import type { Message } from '../../model/exchange.ts';
import type { Finding } from '../../model/finding.ts';
import type { Case } from '../../suite/suites.ts';
import { abridgeJson, abridgeLine } from '../../wire/record/recorder.ts';
import { createRedactor } from '../../wire/record/redact.ts';
import {
  type Assignment,
  type CaseAttempt,
  type CaseContext,
  type CaseState,
  Unmet,
  type World,
} from './case-context.ts';
import { createInbox } from './inbox.ts';
import { createScope } from './scope.ts';

const emptyState = (): CaseState => ({
  traces: new Map(),
  inboxes: [],
  messages: [],
  findings: [],
  recorded: {},
  undo: [],
  responsesGiven: 0,
  eventsAnswered: new Map(),
  events: new Map(),
  eventsRaised: new Map(),
  shownAt: 0,
  lastRequest: undefined,
  unmet: undefined,
  refused: false,
});

type Fixed = Omit<CaseContext, 'as' | 'about' | 'during' | 'within' | 'scope' | 'now' | 'wait'>;

const day = 24 * 60 * 60 * 1000;
/** Longest wait of a case, in milliseconds: real time allows for 48 hours, a virtual clock for a leap day. */
const longestWait = { real: 3 * day, virtual: 10 * 365 * day };

/** Throws Unmet for a moment too far ahead: a carrier may grant a life of any length. */
function requireNear(due: number | undefined, what: string, { kind, now }: World['timeline']): void {
  if (due === undefined || due - now() <= longestWait[kind]) return;
  const [days, most] = [due - now(), longestWait[kind]].map((wait) => Math.round(wait / day));
  throw new Unmet(`to wait for ${what} would take ${days} days, and a case waits ${most} at most`);
}

/** Creates a view of a case: the fixed parts may differ between views, the state is shared. */
function viewOf(fixed: Fixed): CaseContext {
  const { world, case: given, client } = fixed;
  const ctx: CaseContext = {
    ...fixed,
    as: (name) => {
      if (name === undefined || name === client.name) return ctx;
      const other = world.target.clients.find((one) => one.name === name);
      if (other === undefined) throw new Unmet(`the target has no client ${name}`);
      return viewOf({ ...fixed, client: other });
    },
    about: (subscriber) => viewOf({ ...fixed, subscriber }),
    during: (repetition) => viewOf({ ...fixed, repetition }),
    within: (other) => viewOf({ ...fixed, world: other }),
    scope: (extra) => createScope(ctx, extra),
    now: world.timeline.now,
    wait: async ({ for: what, ...wait }) => {
      requireNear(wait.due, what, world.timeline);
      return world.timeline.wait({ ...wait, label: { case: given.id, for: what } });
    },
  };
  return ctx;
}

export interface Opening {
  readonly case: Case;
  readonly assignment: Assignment;
  readonly order?: number;
  readonly attempt?: CaseAttempt;
}

/** Opens the context of a case that begins now, with its own canary. */
export function openContext(world: World, { case: given, assignment, order = 0, attempt }: Opening): CaseContext {
  const path = `/canary/${world.random(8)}`;
  return viewOf({
    ...assignment,
    world,
    case: given,
    order,
    ...defined({ attempt }),
    startedAt: world.timeline.now(),
    redactor: createRedactor(world.interface.secretMembers, world.secrets),
    canary: { path, url: `${world.receiver}${path}`, inbox: createInbox() },
    state: emptyState(),
  });
}

/** Next message id, counted within the case so that runs give equal ids: `a-case#x1`, `a-case#again-x1`. */
export function nextMessageId({ case: { id }, attempt, state }: CaseContext, kind: Message['kind']): string {
  const before = state.messages.filter((message) => message.kind === kind).length;
  const number = `${kind === 'exchange' ? 'x' : 'd'}${before + 1}`;
  if (attempt === undefined) return `${id}#${number}`;
  const { of, name, time } = attempt;
  const which = name === 'control' ? `${name}-${id}` : name;
  return `${of}#${which}-${time === 1 ? '' : `${time}-`}${number}`;
}

/** Redacts the case's secrets in a finding, and abridges long values. */
export function redactFinding(finding: Finding, { redactor }: CaseContext): Finding {
  const { expected, actual, path, headers } = finding;
  return {
    ...finding,
    expected: abridgeJson(redactor.json(expected)),
    actual: abridgeJson(redactor.json(actual)),
    ...defined({ path: path === undefined ? undefined : abridgeLine(redactor.text(path)) }),
    ...defined({ headers: headers?.map((name) => abridgeLine(redactor.text(name))) }),
  };
}

/** Context in which invariants see a message; `extra` has the roots about it. */
export const observationContext = (ctx: CaseContext, extra: Readonly<Record<string, unknown>>): ObservationContext => ({
  caseId: ctx.case.id,
  order: ctx.order,
  scope: ctx.scope(extra),
  redact: (finding) => redactFinding(finding, ctx),
});
