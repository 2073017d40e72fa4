import { isJsonObject, parseJson } from '../../lib/json.ts';
import { CarrierspecError } from '../../model/problem.ts';
import type { ClockDriver, ExecDriver, HttpDriver } from '../../model/target.ts';
import type { Scope } from '../../model/template.ts';
import { runCommand } from '../../wire/send/run-program.ts';
import { commandOf, driverRequest } from '../../wire/build/driver-call.ts';
import type { Sender } from '../../wire/send/send.ts';
import { createRedactor } from '../../wire/record/redact.ts';
import { learnVariables } from './driver.ts';
import type { ClockClient, ClockReading } from '../clock/virtual-clock.ts';

function parseReading(text: string, place: string): ClockReading {
  const body = parseJson(text);
  if (!isJsonObject(body) || typeof body['now'] !== 'number') {
    throw new CarrierspecError(`the clock at ${place} does not tell the time`, {
      code: 'clock-unusable',
    });
  }
  const { now, nextDue, inFlight } = body;
  return {
    now,
    nextDue: typeof nextDue === 'number' ? nextDue : null,
    inFlight: typeof inFlight === 'number' ? inFlight : undefined,
  };
}

const unreachable = (message: string): CarrierspecError => new CarrierspecError(message, { code: 'clock-unreachable' });

const unusable = (message: string): CarrierspecError => new CarrierspecError(message, { code: 'clock-unusable' });

async function askByHttp(driver: HttpDriver, scope: Scope, sender: Sender): Promise<ClockReading> {
  const request = driverRequest(driver, scope);
  const redactor = createRedactor();
  learnVariables([driver.url], driver.env, redactor);
  const url = redactor.text(request.url);
  const sent = await sender.send(request);
  if ('noResponse' in sent)
    throw unreachable(`the carrier's clock did not answer at ${url}: ${sent.noResponse.detail}`);
  const { status, body } = sent.response;
  if (!driver.done.includes(status)) throw unusable(`the carrier's clock at ${url} answered HTTP ${status}`);
  return parseReading(body.toString('utf8'), url);
}

async function askByExec(driver: ExecDriver, scope: Scope): Promise<ClockReading> {
  const command = commandOf(driver, scope);
  const [program] = command.argv;
  const ran = await runCommand(command, new AbortController().signal);
  if (ran.how !== 'exit') throw unreachable(`the carrier's clock did not answer by ${program}: ${ran.why}`);
  if (!driver.done.includes(ran.code)) throw unusable(`the carrier's clock by ${program} gave exit code ${ran.code}`);
  return parseReading(ran.stdout, program);
}

/** The target's clock, through its driver. */
export function createClockClient(
  clock: { readonly read: ClockDriver; readonly advance: ClockDriver },
  sender: Sender,
): ClockClient {
  const call = (driver: ClockDriver, values: Readonly<Record<string, unknown>>): Promise<ClockReading> => {
    const known: Readonly<Record<string, unknown>> = { ...values, env: driver.env };
    const scope: Scope = { now: () => 0, random: () => '', root: (name) => known[name] };
    return driver.kind === 'http' ? askByHttp(driver, scope, sender) : askByExec(driver, scope);
  };
  return { read: () => call(clock.read, {}), advance: (to) => call(clock.advance, { to }) };
}
