import { describeNoResponse } from '../../model/exchange.ts';
import { readResponse } from '../context/read-response.ts';
import { isJsonObject, type Json, parseJson } from '../../lib/json.ts';
import {
  ceilMillis,
  dueMillis,
  elapsedMillis,
  floorMillis,
  inWholeUnits,
  type Millis,
  wholeMillis,
} from '../../lib/time.ts';
import { CarrierspecError } from '../../model/problem.ts';
import type { ClockDriver, ClockNames, ExecDriver, HttpDriver, TargetClock } from '../../model/target.ts';
import type { Scope, Template } from '../../model/suite.ts';
import { runInGroup } from '../../wire/send/run-program.ts';
import { driverCommand, driverRequest, SteeredDriverError } from '../../wire/send/driver-call.ts';
import type { Sender } from '../../wire/send/sender.ts';
import { createRedactor } from '../../wire/record/redactor.ts';
import { learnVariableSecrets } from './driver.ts';
import { type HttpRequest, valueIfThere } from '../../wire/build/http-request.ts';
import type { ClockClient, ClockReading } from '../clock/virtual-clock.ts';

/** Names in an answer, and the unit in which the clock is advanced. */
interface AnswerForm {
  readonly names: ClockNames | undefined;
  readonly unit: Millis;
}

interface ClockAnswer {
  readonly body: Json | undefined;
  /** Address or program of the clock, without the secrets of the target file. */
  readonly place: () => string;
}

function parseTime(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** Clock reading in an answer, by the operator's names or the default ones; without a time, its times are absent. */
function readClockAnswer({ body }: ClockAnswer, { names, unit }: AnswerForm): Partial<ClockReading> {
  const scope: Scope = { now: () => 0, random: () => '', root: (name) => (name === 'body' ? body : undefined) };
  const usual = isJsonObject(body) ? body : {};
  const find = (template: Template | undefined, name: string): unknown =>
    names === undefined ? usual[name] : template && valueIfThere(template, scope);
  const inFlight = find(names?.inFlight, 'inFlight');
  const now = parseTime(find(names?.now, 'now'));
  const next = parseTime(find(names?.next, 'nextDue'));
  const [down, up] = names?.unit === 'seconds' ? [elapsedMillis, dueMillis] : [floorMillis, ceilMillis];
  return {
    ...(now === undefined ? {} : { now: down(now), least: inWholeUnits(up(now), unit) }),
    nextDue: next === undefined ? null : up(next),
    inFlight: typeof inFlight === 'number' ? inFlight : undefined,
  };
}

/** Begin of the year 10000, in milliseconds: a later year has no text in a result. */
const endOfYears = Date.UTC(10_000, 0);

const hasTime = (reading: Partial<ClockReading>): reading is ClockReading => reading.now !== undefined;

const clockUnreachable = (message: string): CarrierspecError =>
  new CarrierspecError(message, { code: 'clock-unreachable' });

const clockUnusable = (message: string): CarrierspecError => new CarrierspecError(message, { code: 'clock-unusable' });

function buildClockRequest(driver: HttpDriver, scope: Scope): HttpRequest {
  try {
    return driverRequest(driver, scope);
  } catch (error) {
    if (error instanceof SteeredDriverError) throw clockUnusable(`the carrier's clock was not asked: ${error.message}`);
    throw error;
  }
}

async function askByHttp(driver: HttpDriver, scope: Scope, sender: Sender): Promise<ClockAnswer> {
  const request = buildClockRequest(driver, scope);
  const place = (): string => {
    const redactor = createRedactor();
    learnVariableSecrets([driver.url], driver.env, redactor);
    return redactor.text(request.url);
  };
  const sent = await sender.send(request);
  if ('noResponse' in sent)
    throw clockUnreachable(`the carrier's clock at ${place()} gave ${describeNoResponse(sent.noResponse)}`);
  const { status } = sent.response;
  if (!driver.done.includes(status)) throw clockUnusable(`the carrier's clock at ${place()} answered HTTP ${status}`);
  return { body: readResponse(sent.response).body, place };
}

async function askByExec(driver: ExecDriver, scope: Scope): Promise<ClockAnswer> {
  const command = driverCommand(driver, scope);
  const [program] = command.argv;
  const ran = await runInGroup(command, new AbortController().signal);
  if (ran.how !== 'exit') throw clockUnreachable(`the carrier's clock did not answer by ${program}: ${ran.why}`);
  if (!driver.done.includes(ran.code))
    throw clockUnusable(`the carrier's clock by ${program} gave exit code ${ran.code}`);
  return { body: parseJson(ran.stdout), place: () => program };
}

/** Creates a client of the target's clock; converts between its units and milliseconds. */
export function createClockClient(clock: Pick<TargetClock, 'read' | 'advance'>, sender: Sender): ClockClient {
  const ask = (driver: ClockDriver, values: Readonly<Record<string, unknown>>): Promise<ClockAnswer> => {
    const known: Readonly<Record<string, unknown>> = { ...values, env: driver.env };
    const scope: Scope = { now: () => 0, random: () => '', root: (name) => known[name] };
    return driver.kind === 'http' ? askByHttp(driver, scope, sender) : askByExec(driver, scope);
  };
  /** Reads an answer; throws for a time that no run can have. */
  const readAnswer = (answer: ClockAnswer, names: ClockNames | undefined): Partial<ClockReading> => {
    const reading = readClockAnswer(answer, { names, unit });
    const { now = 0 } = reading;
    if (now >= 0 && now < endOfYears) return reading;
    const advice = `its unit is ${names?.unit ?? 'milliseconds'}`;
    throw clockUnusable(
      `the clock at ${answer.place()} tells a time ${now < 0 ? 'before 1970' : 'after the year 9999'}; ${advice}`,
    );
  };
  const unit = wholeMillis(clock.advance.names?.unit === 'seconds' ? 1000 : 1);
  const read = async (): Promise<ClockReading> => {
    const answer = await ask(clock.read, {});
    const reading = readAnswer(answer, clock.read.names);
    if (hasTime(reading)) return reading;
    throw clockUnusable(`the clock at ${answer.place()} does not tell the time`);
  };
  const advance = async (to: Millis): Promise<ClockReading> => {
    const answer = await ask(clock.advance, { to: wholeMillis(to / unit) });
    const reading = readAnswer(answer, clock.advance.names);
    // The answer to an advance may lack the time.
    return hasTime(reading) ? reading : read();
  };
  return { unit, read, advance };
}
