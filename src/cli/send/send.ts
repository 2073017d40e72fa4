import { copyJson } from '../../lib/json.ts';
import { defined } from '../../lib/optional.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Target } from '../../model/target.ts';
import { forJson, forTerminal } from '../../report/shared/sanitize.ts';
import type { HttpRequest } from '../../wire/build/http-request.ts';
import { exitCodes } from '../exit-codes.ts';
import { type Asked, askedNames, goesWith, sendDefinition } from '../definitions/send.ts';
import { nameIn, usageError } from '../shared/inputs.ts';
import { type Invocation, pageOf } from '../shared/invocation.ts';
import { type Setup, withCarrier } from '../shared/setup.ts';
import { ask, exitCodeOf, findingsOf, type Report, verdictOf } from './ask.ts';
import { chooseCancellation } from './cancel.ts';
import { renderCurl } from './curl.ts';
import { renderReport } from './describe.ts';
import { chooseDiscovery, chooseKeys } from './discovery.ts';
import { chooseEvent } from './events.ts';
import { renderRequest } from './exchange-view.ts';
import { type AtHand, type Inquiry, isGiven, type SendFlags } from './inquiry.ts';
import { chooseRequest } from './request-object.ts';
import { chooseTokenCall } from './token.ts';
import { chooseUserinfo } from './userinfo.ts';
import { chooseTenure } from './usertrait.ts';
import { secretsOf } from './values.ts';

function toJson(report: Report, inquiry: Inquiry): unknown {
  const { awaits, area } = inquiry;
  const { request, others, deliveries, invariants, rules, case: ended, left } = report;
  return {
    ...defined({ request }),
    ...(others.length === 0 ? {} : { others }),
    [awaits === 'event' ? 'events' : 'callbacks']: deliveries,
    findings: findingsOf(report),
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
    verdict: verdictOf(report, inquiry),
    ...defined({ reason: ended?.reason }),
    ...(left.length === 0 ? {} : { left }),
  };
}

interface Held {
  readonly http: HttpRequest;
  readonly recorded: Exchange;
  /** What the requests before it leave at the carrier. */
  readonly left: readonly string[];
}

/** The request as it would be sent, or why there is none. */
async function hold(inquiry: Inquiry, setup: Setup): Promise<Held | { readonly why: string }> {
  const held: Omit<Held, 'left'>[] = [];
  const { step } = inquiry;
  const report = await ask(inquiry, setup, { step, take: (http, recorded) => held.push({ http, recorded }) });
  const [first] = held;
  return first === undefined ? { why: report.case?.reason ?? 'no reason was given' } : { ...first, left: report.left };
}

/** A command of curl does not have what the target file says of TLS and of a proxy. */
const hasOwnTransport = ({ tls, proxy }: Target): boolean => tls !== undefined || proxy !== undefined;

/** Steps that make something and send nothing. */
const silent: ReadonlySet<string> = new Set(['sign', 'encrypt']);

/** A dry run sends nothing: what the steps before it would bring is not there. */
function requireFirst({ case: { id, steps }, step: name }: Inquiry): void {
  const before = steps.slice(
    0,
    steps.findIndex((step) => step.name === name),
  );
  const sending = before.find(({ act }) => !silent.has(act.verb));
  if (sending === undefined) return;
  const why = `step ${name} of ${id} builds on step ${sending.name}, which would be sent`;
  throw usageError(`--dry-run: ${why}; --curl sends what stands before and prints the request`);
}

interface Printing {
  readonly inquiry: Inquiry;
  readonly setup: Setup;
  readonly flags: SendFlags;
  readonly invocation: Invocation;
}

const embeddedNote =
  '--curl needs --target: the embedded reference carrier ends with this command, and answers nothing then';
const transportNote = '--curl: the target file has certificates or a proxy: add --cacert, --cert, --key or --proxy';

function printCurl({ http }: Held, { setup: { target, options }, invocation: { stdout, stderr } }: Printing): void {
  if (hasOwnTransport(target)) stderr.write(`${transportNote}\n`);
  if (options.outlives !== true) stderr.write(`${embeddedNote}\n`);
  stdout.write(`${renderCurl(http)}\n`);
}

function printDry({ recorded }: Held, { inquiry: { open }, flags, invocation }: Printing): void {
  const { stdout, stderr } = invocation;
  if (open !== undefined) stderr.write(`--dry-run: ${open}\n`);
  if (flags.json) stdout.write(`${forJson({ request: copyJson(recorded), sent: false })}\n`);
  else stdout.write(`${renderRequest(pageOf(invocation), recorded, 'not sent').join('\n')}\n`);
}

/** `--curl`, and `--dry-run`: the request, which is not sent. */
async function printRequest(printing: Printing): Promise<number> {
  const { inquiry, setup, flags, invocation } = printing;
  const { stderr } = invocation;
  if (!flags.curl) requireFirst(inquiry);
  const held = await hold(inquiry, setup);
  if ('why' in held) {
    const flag = flags.curl ? '--curl' : '--dry-run';
    stderr.write(`carrierspec: ${flag}: there is no request: ${forTerminal(held.why)}\n`);
    return exitCodes.incomplete;
  }
  for (const line of held.left) stderr.write(`left: ${forTerminal(line)}\n`);
  (flags.curl ? printCurl : printDry)(held, printing);
  return exitCodes.conformant;
}

type Choose = (flags: SendFlags, atHand: AtHand) => Inquiry | Promise<Inquiry>;

const choosers: Readonly<Record<Asked, Choose>> = {
  server_initiated: chooseRequest,
  discovery: chooseDiscovery,
  jwks: chooseKeys('jwks'),
  event_jwks: chooseKeys('event_jwks'),
  usertrait: chooseTenure,
  userinfo: chooseUserinfo,
  token: chooseTokenCall,
  cancel: chooseCancellation,
  events: chooseEvent,
};

/** Throws at the first flag that goes with other endpoints only. */
function requireFitting({ endpoint, ...flags }: SendFlags): void {
  const wrong = Object.entries(flags).find(([name, value]) => isGiven(value) && !goesWith(name, endpoint));
  if (wrong === undefined) return;
  const [name] = wrong;
  const [, { spec } = { spec: name }] = Object.entries(sendDefinition.flags).find(([one]) => one === name) ?? [];
  const others = askedNames.filter((one) => goesWith(name, one)).map((one) => `send ${one}`);
  throw usageError(`${nameIn(spec)} does not go with send ${endpoint}; it goes with ${others.join(', ')}`);
}

/** `carrierspec send [endpoint]`: asks one endpoint once, shows and judges what comes. Gives the exit code. */
export function sendCommand(flags: SendFlags, invocation: Invocation): Promise<number> {
  const { stdout, stderr } = invocation;
  const { endpoint, curl, dryRun } = flags;
  requireFitting(flags);
  if (curl && dryRun) throw usageError('--curl and --dry-run: each prints the request, in its own way');
  return withCarrier(flags, invocation, async (setup) => {
    const { suites, target, options } = setup;
    const embedded = options.outlives !== true;
    const atHand = { suites, target, embedded, dry: dryRun, stdin: invocation.stdin };
    const chosen = await choosers[endpoint](flags, atHand);
    const inquiry = { ...chosen, secrets: [...(chosen.secrets ?? []), ...secretsOf(flags)] };
    if (curl || dryRun) return printRequest({ inquiry, setup, flags, invocation });
    if (inquiry.awaits !== undefined && target.clock === undefined) {
      stderr.write(`waiting for the ${inquiry.awaiting ?? inquiry.awaits}\n`);
    }
    const report = await ask(inquiry, setup);
    stdout.write(
      flags.json ? `${forJson(toJson(report, inquiry))}\n` : renderReport(pageOf(invocation), report, inquiry),
    );
    return options.signal.aborted ? exitCodes.interrupted : exitCodeOf(report, inquiry);
  });
}
