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

/** A view of a case: what is fixed may differ from view to view, the state is the same. */
const day = 24 * 60 * 60 * 1000;
/** Milliseconds that a case waits at most: by real time for the end of 48 hours, by a virtual clock for a leap day. */
const longestWait = { real: 3 * day, virtual: 10 * 365 * day };

/** A carrier may grant a life of any length. Throws Unmet for a moment too far ahead. */
function requireNear(due: number | undefined, what: string, { kind, now }: World['timeline']): void {
  if (due === undefined || due - now() <= longestWait[kind]) return;
  const [days, most] = [due - now(), longestWait[kind]].map((wait) => Math.round(wait / day));
  throw new Unmet(`to wait for ${what} would take ${days} days, and a case waits ${most} at most`);
}

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

/** The context of a case that begins now, with a canary of its own. */
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

/** Message ids count within the case, so that two runs give the same ones: `a-case#x1`, `a-case#again-x1`. */
export function nextMessageId({ case: { id }, attempt, state }: CaseContext, kind: Message['kind']): string {
  const before = state.messages.filter((message) => message.kind === kind).length;
  const number = `${kind === 'exchange' ? 'x' : 'd'}${before + 1}`;
  if (attempt === undefined) return `${id}#${number}`;
  const { of, name, time } = attempt;
  const which = name === 'control' ? `${name}-${id}` : name;
  return `${of}#${which}-${time === 1 ? '' : `${time}-`}${number}`;
}

/** A finding as it may be kept: the case's secrets taken out, and what is long cut. */
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

/** Where invariants see a message; `extra` are the roots that are about it. */
export const observationContext = (ctx: CaseContext, extra: Readonly<Record<string, unknown>>): ObservationContext => ({
  caseId: ctx.case.id,
  order: ctx.order,
  scope: ctx.scope(extra),
  redact: (finding) => redactFinding(finding, ctx),
});
