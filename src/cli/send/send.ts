import { forJson, copyJson, omitUndefined } from '../../lib/json.ts';
import { quoteWord } from '../../lib/shell.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Target } from '../../model/target.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import type { HttpRequest } from '../../wire/build/http-request.ts';
import { exitCodes } from '../exit-codes.ts';
import type { sendDefinition } from '../definitions/desk.ts';
import { usageError } from '../shared/inputs.ts';
import type { CommandInputs, Invocation } from '../shared/command.ts';
import { createTerminalPage } from '../shared/page.ts';
import { type CommandSetup, withChosenCarrier } from '../shared/setup.ts';
import { askCarrier, inquiryExitCode, inquiryFindings, type InquiryReport, inquiryVerdict } from './ask.ts';
import { readMessage } from './message.ts';
import { renderReport, renderRequest } from './views.ts';
import { sendEndpoints, acceptsFlag } from './endpoints.ts';
import { type Inquiry, inputLabel, isFlagSet, requireParties, flagSecrets, type SendFlags } from './inquiry.ts';

function inquiryJson(report: InquiryReport, inquiry: Inquiry): unknown {
  const { awaits, area } = inquiry;
  const { request, others, deliveries, invariants, rules, case: ended, left } = report;
  return {
    ...omitUndefined({ request }),
    ...(others.length === 0 ? {} : { others }),
    [awaits === 'event' ? 'events' : 'callbacks']: deliveries,
    findings: inquiryFindings(report),
    invariants: invariants.map(({ id, title, rules: own, verdict, judged, violations, findings }) => ({
      id,
      title,
      rules: own,
      verdict,
      judged,
      violations,
      findings,
    })),
    ...(area === undefined ? {} : { rules }),
    verdict: inquiryVerdict(report, inquiry),
    ...omitUndefined({ reason: ended?.reason }),
    ...(left.length === 0 ? {} : { left }),
  };
}

interface HeldRequest {
  readonly http: HttpRequest;
  readonly recorded: Exchange;
  /** State left at the carrier by earlier requests. */
  readonly left: readonly string[];
}

async function holdRequest(inquiry: Inquiry, setup: CommandSetup): Promise<HeldRequest | { readonly why: string }> {
  const held: Omit<HeldRequest, 'left'>[] = [];
  const { step } = inquiry;
  const report = await askCarrier(inquiry, setup, { step, take: (http, recorded) => held.push({ http, recorded }) });
  const [first] = held;
  return first === undefined ? { why: report.case?.reason ?? 'no reason was given' } : { ...first, left: report.left };
}

/** A curl command lacks the target's TLS and proxy settings. */
const hasOwnTransport = ({ tls, proxy }: Target): boolean => tls !== undefined || proxy !== undefined;

/** Verbs that send nothing. */
const silentVerbs: ReadonlySet<string> = new Set(['sign', 'encrypt']);

/** Throws if the request needs an earlier step that sends something, because a dry run would skip it. */
function requireNoSending({ case: { id, steps }, step: name }: Inquiry): void {
  const before = steps.slice(
    0,
    steps.findIndex((step) => step.name === name),
  );
  const sending = before.find(({ act }) => !silentVerbs.has(act.verb));
  if (sending === undefined) return;
  const why = `step ${name} of ${id} builds on step ${sending.name}, which would be sent`;
  throw usageError(`--dry-run: ${why}; --curl sends what stands before and prints the request`);
}

/** Control and bidirectional characters, with which a terminal would show a different command. */
const unsafeCharacters = /(?![\t\n])[\p{Cc}\p{Bidi_Control}]/u;
/** Also rejects line breaks. */
const unsafeInHeaderLine = /(?!\t)[\p{Cc}\p{Bidi_Control}]/u;

function requireSafe(what: string, text: string, pattern: RegExp): void {
  if (pattern.test(text))
    throw usageError(`--curl: ${what} has a control character, which no command line can show safely`);
}

/** Renders a request as a curl command, credentials included. Throws for bytes that no command line can hold safely. */
export function renderCurl({ method, url, headers, body }: HttpRequest): string {
  if (body?.includes('\0') === true) throw usageError('--curl: the body has a NUL, which no command line can hold');
  requireSafe('the body', body ?? '', unsafeCharacters);
  for (const [name, value] of headers) requireSafe('a header field', name + value, unsafeInHeaderLine);
  const words = [
    'curl --silent --show-error --include --path-as-is --globoff',
    `--request ${quoteWord(method)}`,
    ...headers.map(([name, value]) => `--header ${quoteWord(value === '' ? `${name};` : `${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoteWord(body)}`]),
    // The carrier chooses the URL: curl parses some differently and would contact another host.
    quoteWord(new URL(url).href),
  ];
  return words.join(' \\\n  ');
}

interface RequestPrinting {
  readonly inquiry: Inquiry;
  readonly setup: CommandSetup;
  readonly flags: SendFlags;
  readonly invocation: Invocation;
}

const embeddedNote =
  '--curl needs --target: the embedded reference carrier ends with this command, and answers nothing then';
const transportNote = '--curl: the target file has certificates or a proxy: add --cacert, --cert, --key or --proxy';

function printCurl(
  { http }: HeldRequest,
  { setup: { target, options }, invocation: { stdout, stderr } }: RequestPrinting,
): void {
  if (hasOwnTransport(target)) stderr.write(`${transportNote}\n`);
  if (options.outlives !== true) stderr.write(`${embeddedNote}\n`);
  stdout.write(`${renderCurl(http)}\n`);
}

function printDry({ recorded }: HeldRequest, { inquiry: { open }, flags, invocation }: RequestPrinting): void {
  const { stdout, stderr } = invocation;
  if (open !== undefined) stderr.write(`--dry-run: ${open}\n`);
  if (flags.json) stdout.write(`${forJson({ request: copyJson(recorded), sent: false })}\n`);
  else stdout.write(`${renderRequest(createTerminalPage(invocation), recorded, 'not sent').join('\n')}\n`);
}

/** `--curl` and `--dry-run`: prints the request instead of sending it. */
async function printRequest(printing: RequestPrinting): Promise<number> {
  const { inquiry, setup, flags, invocation } = printing;
  const { stderr } = invocation;
  if (!flags.curl) requireNoSending(inquiry);
  const held = await holdRequest(inquiry, setup);
  if ('why' in held) {
    const flag = flags.curl ? '--curl' : '--dry-run';
    stderr.write(`carrierspec: ${flag}: there is no request: ${forTerminal(held.why)}\n`);
    return exitCodes.incomplete;
  }
  for (const line of held.left) stderr.write(`left: ${forTerminal(line)}\n`);
  (flags.curl ? printCurl : printDry)(held, printing);
  return exitCodes.conformant;
}

type GivenFlags = CommandInputs<typeof sendDefinition>;

/** Reason why a flag or a member of a message does not apply to the endpoint, or undefined. */
function wrongFor(name: string, endpoint: GivenFlags['endpoint']): string | undefined {
  if (acceptsFlag(name, sendEndpoints[endpoint])) return undefined;
  const others = Object.entries(sendEndpoints).flatMap(([one, row]) => (acceptsFlag(name, row) ? [`send ${one}`] : []));
  return `does not go with send ${endpoint}; it goes with ${others.join(', ')}`;
}

/** The flags with the message. Throws for a flag or member that does not apply to the endpoint. */
function readSendFlags(given: GivenFlags): SendFlags {
  const { endpoint, ...flags } = given;
  for (const [name, value] of Object.entries(flags)) {
    const wrong = isFlagSet(value) ? wrongFor(name, endpoint) : undefined;
    if (wrong !== undefined) throw usageError(`${inputLabel(name)} ${wrong}`);
  }
  const message = readMessage(given.message, (member) => {
    const wrong = wrongFor(member, endpoint);
    return wrong === undefined ? undefined : `${member} ${wrong}`;
  });
  return { ...given, ...message };
}

/** `carrierspec send [endpoint]`: asks one endpoint once, prints and judges the response. Returns the exit code. */
export async function sendCommand(given: GivenFlags, invocation: Invocation): Promise<number> {
  const { stdout, stderr } = invocation;
  const { endpoint, curl, dryRun } = given;
  const flags = readSendFlags(given);
  if (curl && dryRun) throw usageError('--curl and --dry-run exclude each other: each prints the request');
  return withChosenCarrier(flags, invocation, async (setup) => {
    const { suites, target, options } = setup;
    const embedded = options.outlives !== true;
    const atHand = { suites, target, embedded, dry: dryRun, stdin: invocation.stdin };
    if (flags.from === undefined) requireParties(flags, target);
    const chosen = await sendEndpoints[endpoint].choose(flags, atHand);
    const inquiry = { ...chosen, secrets: [...(chosen.secrets ?? []), ...flagSecrets(flags)] };
    if (curl || dryRun) return printRequest({ inquiry, setup, flags, invocation });
    if (inquiry.awaits !== undefined && target.clock === undefined) {
      stderr.write(`waiting for the ${inquiry.awaiting ?? inquiry.awaits}\n`);
    }
    const report = await askCarrier(inquiry, setup);
    stdout.write(
      flags.json
        ? `${forJson(inquiryJson(report, inquiry))}\n`
        : renderReport(createTerminalPage(invocation), report, inquiry),
    );
    return options.signal.aborted ? exitCodes.interrupted : inquiryExitCode(report, inquiry);
  });
}
