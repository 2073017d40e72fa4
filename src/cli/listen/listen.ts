import { resolveUri } from '../../engine/context/scope.ts';
import type { ReceiverLock } from '../../engine/context/attribution.ts';
import { createReceiverLock } from '../../engine/receive/lock.ts';
import { headersByName } from '../../judge/classify.ts';
import { forJson, omitUndefined } from '../../lib/json.ts';
import type { ReadabilityFlaw } from '../../model/exchange.ts';
import type { Target } from '../../model/target.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import { renderClockTime } from '../../report/shared/time.ts';
import { readSuites, readTarget } from '../../setup/read-files.ts';
import { readBody } from '../../wire/read/read-body.ts';
import { listenError, createReceiver, type Inbound, type Receiver } from '../../wire/receive/receiver.ts';
import { createRecorder, type Recorder } from '../../wire/record/recorder.ts';
import {
  type DecodedInput,
  judgeDecoded,
  type DecodeJudges,
  openRedactor,
  recognizeSafely,
  withoutSecrets,
} from '../decode/judge-decoded.ts';
import { decodedJson, renderDecoded } from '../decode/describe.ts';
import { readKeys } from '../decode/input.ts';
import { learnHttpSecrets } from '../decode/judge-capture.ts';
import type { listenDefinition } from '../definitions/desk.ts';
import type { CommandInputs, Invocation } from '../shared/command.ts';
import { createTerminalPage } from '../shared/page.ts';

/** Default receiver of `carrierspec carrier`. */
const referenceReceiver = { host: '127.0.0.1', port: 8602 };

type ListenFlags = CommandInputs<typeof listenDefinition>;

type ReceiverAddress = Target['receiver'];

const chooseAddress = ({ port, host }: ListenFlags, target: Target | undefined): ReceiverAddress => ({
  ...(target?.receiver ?? referenceReceiver),
  ...omitUndefined({ host, port }),
});

async function openListener(
  where: ReceiverAddress,
  onDelivery: (inbound: Inbound) => { readonly status: number },
): Promise<Receiver> {
  const { host, port, tls, clientAuthorities } = where;
  try {
    return await createReceiver({
      host,
      port,
      tls,
      clientAuthorities,
      now: Date.now,
      onDelivery: (inbound) => Promise.resolve(onDelivery(inbound)),
    });
  } catch (cause) {
    throw listenError({ host, port }, cause);
  }
}

interface HeardDelivery {
  readonly inbound: Inbound;
  /** Request target without credentials. */
  readonly target: string;
  readonly recorded: ReturnType<Recorder['message']>;
  readonly decoded: DecodedInput | undefined;
  readonly answered: number;
  readonly unreadable: readonly ReadabilityFlaw[];
  /** Not authenticated as the carrier's; a run ignores it for rules that a stranger could break. */
  readonly stranger: boolean;
}

interface ListenContext extends DecodeJudges {
  readonly answered: number;
  /** The target's lock; without a target, deliveries cannot be authenticated. */
  readonly lock: ReceiverLock | undefined;
}

const parseQuery = (target: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(target.replace(/^[^?]*\??/, '')));

function readDelivery(inbound: Inbound, { answered, lock, ...judging }: ListenContext): HeardDelivery {
  const redactor = openRedactor();
  const { headers, body: came, bytes } = inbound;
  const { text, unreadable = [] } = readBody({ headers: headersByName(headers), bytes: came, whole: bytes });
  const found = recognizeSafely(text);
  learnHttpSecrets({ headers, body: text }, redactor);
  redactor.learnMembers(parseQuery(inbound.target));
  if (!('why' in found)) redactor.learnMembers(found.body);
  const wire = { headers, body: text, bytes, kept: came.length };
  const recorder = createRecorder();
  const recorded = recorder.message(wire, { id: '', redactor });
  const target = recorder.line(inbound.target, redactor);
  const decoded =
    'why' in found ? undefined : withoutSecrets(judgeDecoded(found, judging, { text, head: inbound }), redactor);
  const stranger = lock !== undefined && !lock.isThrough(inbound);
  return { inbound, target, recorded, decoded, answered, unreadable, stranger };
}

const renderUnreadable = ({ path, expected, actual }: ReadabilityFlaw): string =>
  `  ${path}: ${expected}, not ${actual}`;

const unauthenticatedLine =
  '  stranger: this delivery cannot be attributed to the carrier: it passed no check of the target’s receiver';

function renderHeardDelivery(
  { inbound, target, recorded, decoded, answered, unreadable, stranger }: HeardDelivery,
  invocation: Invocation,
): string {
  const { method, receivedAt } = inbound;
  const page = createTerminalPage(invocation);
  const head = `${renderClockTime(receivedAt)}  ${forTerminal(method, 20)} ${forTerminal(target, 400)}  answered ${answered}`;
  const lines = [
    page.paint.bold(head),
    ...(stranger ? [page.paint.yellow(unauthenticatedLine)] : []),
    ...recorded.headers.map(([name, value]) =>
      page.paint.dim(`  ${forTerminal(name, 80)}: ${forTerminal(value, 400)}`),
    ),
    ...unreadable.map((one) => page.paint.red(forTerminal(renderUnreadable(one)))),
    ...(decoded === undefined
      ? [`  ${forTerminal(recorded.body)}`]
      : renderDecoded(page, decoded, Math.floor(receivedAt / 1000))),
  ];
  return `${lines.join('\n')}\n\n`;
}

function heardDeliveryJson({ inbound, recorded, decoded, answered, unreadable, stranger }: HeardDelivery): unknown {
  const { method, target, receivedAt, bytes } = inbound;
  return {
    receivedAt: new Date(receivedAt).toISOString(),
    method,
    target,
    headers: recorded.headers,
    bytes,
    answered,
    ...(stranger ? { stranger } : {}),
    ...(unreadable.length > 0 ? { unreadable } : {}),
    ...(decoded === undefined ? { text: recorded.body } : decodedJson(decoded)),
  };
}

/** Registered delivery URIs of a target. */
function deliveryUris(target: Target | undefined, url: string): readonly string[] {
  if (target === undefined) return [];
  return target.clients.flatMap(({ name, notificationUris, eventUri }) => [
    ...notificationUris.map((uri) => `  ${name}: ${resolveUri(uri, url)}`),
    ...(eventUri === undefined ? [] : [`  ${name}, events: ${resolveUri(eventUri, url)}`]),
  ]);
}

/** `carrierspec listen`: prints and judges every delivery until Ctrl-C. Returns 0. */
export async function listenCommand(flags: ListenFlags, invocation: Invocation): Promise<number> {
  const { stdout, stderr, env, onSignal } = invocation;
  const { status } = flags;
  const stopped = new Promise<void>((resolve) => onSignal(resolve));
  const target = flags.target === undefined ? undefined : readTarget(flags.target, env);
  const [suites, keys] = await Promise.all([
    readSuites(flags.suites),
    flags.jwks === undefined ? undefined : readKeys(flags.jwks),
  ]);
  const where = chooseAddress(flags, target);
  const lock = target === undefined ? undefined : createReceiverLock(target);
  const receiver = await openListener(where, (inbound) => {
    const heard = readDelivery(inbound, { answered: status, lock, suites, keys });
    stdout.write(flags.json ? `${forJson(heardDeliveryJson(heard))}\n` : renderHeardDelivery(heard, invocation));
    return { status };
  });
  const url = where.url ?? receiver.origin;
  stderr.write(`listening on ${receiver.origin}, answering ${status}; Ctrl-C stops it\n`);
  for (const line of deliveryUris(target, url)) stderr.write(`${forTerminal(line)}\n`);
  await stopped;
  await receiver.close();
  return 0;
}
