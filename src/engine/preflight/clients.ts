import type { ResponseObservation } from '../../judge/observation.ts';
import { isJsonObject, renderPlain } from '../../lib/json.ts';
import { findAction } from '../../model/action.ts';
import type { Client } from '../../model/target.ts';
import type { Step, Case } from '../../suite/suites.ts';
import { isRefusal, narrowRefusal } from '../act/refusal.ts';
import { performAct } from '../act/verb.ts';
import { narrowedWords } from '../run-options.ts';
import {
  type Assignment,
  type CarrierServices,
  type CaseContext,
  type RunServices,
  Unmet,
} from '../context/case-context.ts';
import { closeInboxes } from '../context/inbox.ts';
import { openContext, type ContextOpening } from '../context/open-context.ts';
import { resolveUri, carrierNow } from '../context/scope.ts';
import { describeMissingDriver, driveAction } from '../drive/drive.ts';
import { type ProbeNote, okNote, problemNote, skippedNote, type Blame } from '../context/note.ts';
import type { Position } from '../../model/rule.ts';
import { MissingValue } from '../../model/suite.ts';
import { isClockOff } from '../../wire/send/skew.ts';
import { awaitDenied } from '../case/deliveries.ts';
import { Interrupted } from '../clock/timeline.ts';

const preflightPosition: Position = { file: 'preflight', line: 1, column: 1 };

interface PreflightCase extends Pick<ContextOpening, 'assignment' | 'order'> {
  readonly id: string;
  /** Tag of the subscriber; default: consented. */
  readonly tag?: string;
  readonly steps?: readonly Step[];
}

/** Acts in a case without rules, where nothing is judged. */
async function runInCase<T>(
  { id, assignment, order = 0, tag = 'consented', steps = [] }: PreflightCase,
  services: RunServices,
  act: (ctx: CaseContext) => Promise<T>,
): Promise<T> {
  const given: Case = {
    id,
    title: 'What the target file says is tried',
    suite: 'preflight',
    area: 'preflight',
    position: preflightPosition,
    rules: [],
    client: assignment.client.name,
    subscriber: tag,
    exclusive: false,
    requires: [],
    receiver: [],
    eventReceiver: [],
    each: [],
    steps,
  };
  const ctx = openContext(services, { case: given, assignment, order });
  try {
    return await act(ctx);
  } finally {
    closeInboxes(ctx);
  }
}

const plainStepName = 'plain';

const registrationAdvice =
  'are keys, redirect_uris and notification_uris registered as the file has them, and receiver and mccmnc right?';

function adviceOn(
  { status = 0, noResponse, body, summary }: ResponseObservation,
  { client, subscriber }: Assignment,
  services: Pick<RunServices, 'endpoints' | 'interface' | 'receiver'>,
): { readonly whose?: Blame; readonly change: string } {
  if (noResponse !== undefined) return { whose: 'network', change: 'see what is said of the endpoints' };
  if (status >= 500) {
    return { whose: 'carrier', change: 'the carrier has to fix it: a valid request is answered with 200' };
  }
  if (status === 404) return { change: `is this the endpoint ${services.interface.requestEndpoint}?` };
  const described = isJsonObject(body) ? ` ${renderPlain(body['error_description'])}` : '';
  const hint = services.interface.refusalHints.find(({ matches }) => matches.test(`${summary}${described}`));
  const notificationUri = resolveUri(client.notificationUris[0] ?? '', services.receiver);
  const { issuer } = services.endpoints;
  const asked = { client, subscriber, notificationUri, issuer };
  const change = hint?.change(asked) ?? registrationAdvice;
  return hint?.isWhole === true ? { whose: 'carrier', change } : { change };
}

async function withdrawRequest(ctx: CaseContext, { granted }: ResponseObservation, about: string): Promise<ProbeNote> {
  const accepted = 'a plain request is accepted';
  if (ctx.services.target.drivers['deny'] === undefined) {
    const left = granted === undefined ? 'it stays pending' : `it stays pending for ${granted} s`;
    return okNote(about, `${accepted}; ${left}, because ${describeMissingDriver('deny', ctx.services.target)}`);
  }
  try {
    const { done, summary } = await driveAction({ action: 'deny', of: plainStepName, step: 'deny' }, ctx);
    return okNote(about, done ? `${accepted}, and denied again` : `${accepted}; deny: ${summary}`);
  } catch (error) {
    if (!(error instanceof Unmet)) throw error;
    const description = `${accepted}, but ${ctx.redactor.text(error.message)}`;
    return problemNote(about, { description, change: 'fix the driver for deny' });
  }
}

/** Carrier's own description, redacted because it may repeat what was sent. */
function carrierDescription(
  { summary, body }: ResponseObservation,
  { redactor }: Pick<CaseContext, 'redactor'>,
): string {
  const description = isJsonObject(body) ? body['error_description'] : undefined;
  return redactor.text((typeof description === 'string' ? `${summary}: ${description}` : summary).slice(0, 300));
}

async function tryPlain(step: Step, ctx: CaseContext, about: string): Promise<ProbeNote> {
  const { client, second, subscriber, services } = ctx;
  const { messages, requestId, requestEndpoint } = services.interface;
  const observation = await performAct(step, ctx);
  if (observation.kind !== 'response') throw new TypeError('a valid request has a response');
  ctx.state.traces.set(step.name, observation);
  ctx.redactor.learnMembers(observation.claims);
  if (observation.outcome !== 'accepted') {
    const description = `a plain request is not accepted: ${carrierDescription(observation, ctx)}`;
    const advice = adviceOn(observation, { client, second, subscriber }, services);
    if (!isRefusal(observation) || advice.whose === 'carrier') return problemNote(about, { description, ...advice });
    const narrowed = await narrowRefusal(observation, step, ctx);
    const told = [description, ...narrowedWords(narrowed)].join('; ');
    const [demanded] = narrowed.accepted.flatMap(({ rule }) => rule ?? []);
    if (demanded === undefined) return problemNote(about, { description: told, ...advice });
    const change = `the carrier has to take what is optional, whether it is there or not: carrierspec explain ${demanded}`;
    return problemNote(about, { whose: 'carrier', description: told, change });
  }
  if (messages.hasRequestId(observation.body)) return withdrawRequest(ctx, observation, about);
  const description = `a plain request is answered without an ${requestId}: ${observation.summary}`;
  const change = `an accepted request is answered with a JSON object that has one; is this the endpoint ${requestEndpoint}?`;
  return problemNote(about, { whose: 'carrier', description, change });
}

async function askClient(assignment: Assignment, order: number, services: RunServices): Promise<ProbeNote> {
  const act = services.interface.validRequest({});
  const step = {
    name: plainStepName,
    position: preflightPosition,
    act,
    times: 1,
    control: false,
    expectations: [],
    record: [],
  };
  const id = `client ${assignment.client.name}`;
  try {
    return await runInCase({ id, assignment, order, steps: [step] }, services, (ctx) => tryPlain(step, ctx, id));
  } catch (error) {
    if (!(error instanceof Unmet)) throw error;
    return problemNote(id, { description: error.message, change: registrationAdvice });
  }
}

/** Reason not to expect that a plain request of this client is accepted, or undefined. */
function reasonNotAsked(client: Client, { interface: certified }: CarrierServices): string | undefined {
  if (client.name === 'disabled') return 'it is disabled';
  return client.keys.length === 0 ? 'it has no key' : certified.refuses(client);
}

function assignClient(client: Client, tag: string, { target }: CarrierServices): Assignment | undefined {
  const subscriber = target.subscribers.find(({ tags, subs }) => tags.includes(tag) && subs[client.name] !== undefined);
  return subscriber && { client, subscriber, second: undefined };
}

/** Sends a plain request of each client for a consented subscriber; denies it if there is a driver for deny. */
export async function checkClients(services: RunServices): Promise<readonly ProbeNote[]> {
  const notes: ProbeNote[] = [];
  for (const [order, client] of services.target.clients.entries()) {
    const about = `client ${client.name}`;
    const skip = reasonNotAsked(client, services);
    const assignment = assignClient(client, 'consented', services);
    if (skip !== undefined) notes.push(skippedNote(about, `not asked: ${skip}`));
    else if (assignment === undefined) {
      const description = 'there is no subscriber with the tag consented and a sub for it';
      const change = `name one under "subscribers", with "subs: { ${client.name} }"`;
      notes.push(problemNote(about, { description, change }));
    } else notes.push(await askClient(assignment, order, services));
  }
  return [...notes, ...describeQuestions(services)];
}

/** Says which actions a run asks a person to do. */
function describeQuestions({ target, interface: { actions } }: CarrierServices): readonly ProbeNote[] {
  const asked = target.unattended?.map((name) => `${name}: "${findAction(name, actions)?.prompt ?? name}"`) ?? [];
  if (asked.length === 0) return [];
  const where = 'at a terminal or on the page of --live; carrierspec plan lists each time';
  return [skippedNote('a person', `not asked here. A run asks for ${asked.join(', ')}, ${where}`)];
}

/** Tries one registration; a missing requirement is no mistake. */
async function tryRegistration(
  { about, tag = 'consented', run }: NonNullable<RunServices['interface']['trials']>[number],
  client: Client,
  services: RunServices,
): Promise<readonly ProbeNote[]> {
  const where = `${about}, client ${client.name}`;
  const assignment = assignClient(client, tag, services);
  if (assignment === undefined) return [skippedNote(where, `not tried: there is no subscriber ${tag} for it`)];
  return runInCase({ id: `preflight ${about}`, assignment, tag }, services, async (ctx) => {
    try {
      const notes = await run(ctx);
      return notes.map((note) => ({ ...note, about: where, description: ctx.redactor.text(note.description) }));
    } catch (error) {
      if (!(error instanceof Unmet || error instanceof MissingValue)) throw error;
      return [skippedNote(where, `not tried: ${ctx.redactor.text(error.message)}`)];
    }
  });
}

/** Runs each trial of the target file's declarations with every registration it fits. */
export async function runTrials(services: RunServices): Promise<readonly ProbeNote[]> {
  const notes: ProbeNote[] = [];
  for (const trial of services.interface.trials) {
    for (const client of services.target.clients) {
      if (reasonNotAsked(client, services) !== undefined || !trial.fits(client, services.target)) continue;
      notes.push(...(await tryRegistration(trial, client, services)));
    }
  }
  return notes;
}

const disprovedDate =
  'a Date that is off its own clock: a request dated by it was refused, and one dated by ours was not';

/** Distrusts the Date headers if a request dated by them is refused, and one dated by our clock is accepted. */
async function compareClocks(ctx: CaseContext, isFreshAt: RunServices['interface']['isFreshAt']): Promise<void> {
  const { services } = ctx;
  const { skew } = services;
  const edge = (skew.current()?.offset ?? 0) < 0 ? 'past' : 'future';
  const isAccepted = (): Promise<boolean> => isFreshAt(Math.floor(carrierNow(services) / 1000), edge, ctx);
  if (await isAccepted()) return;
  skew.disbelieve(disprovedDate);
  let settled = false;
  try {
    settled = await isAccepted();
  } finally {
    if (!settled) skew.disbelieve(undefined);
  }
}

/** Tests the carrier's clock if its `Date` is off ours: a proxy may write that field from its own clock. */
export async function settleClock(services: RunServices): Promise<void> {
  const { isFreshAt } = services.interface;
  const skew = services.timeline.kind === 'real' ? services.skew.current() : undefined;
  const [assignment] = services.target.clients.flatMap((client) =>
    reasonNotAsked(client, services) === undefined ? (assignClient(client, 'consented', services) ?? []) : [],
  );
  if (skew === undefined || !isClockOff(skew) || assignment === undefined) return;
  try {
    await runInCase({ id: 'preflight clock', assignment }, services, async (ctx) => {
      await compareClocks(ctx, isFreshAt);
      await awaitDenied(ctx);
    });
  } catch (error) {
    // A test that cannot be made settles nothing: the cases say why, and a stopped run has none.
    if (!(error instanceof Unmet || error instanceof MissingValue || error instanceof Interrupted)) throw error;
  }
}
