import { Command, CommanderError } from 'commander';
import { CarrierspecError } from '../model/problem.ts';
import { defineCertification } from './certify/define.ts';
import { exitCodeOfStop, exitCodes } from './exit-codes.ts';
import { toolVersion } from '../setup/paths.ts';
import { collect, defineMerge, defineReport, reportHelp } from './report/define.ts';
import { defineTarget } from './init/define.ts';
import { defineSpotChecks } from './send/define.ts';
import type { Invocation } from './shared/invocation.ts';

function defineRun(program: Command, invocation: Invocation, end: (code: number) => void): void {
  program
    .command('run')
    .summary('certify a carrier: send, receive, judge, report')
    .description(
      'Runs the cases of every rule, or of those named, against a carrier; without --target, against the embedded reference carrier.',
    )
    .argument('[what...]', 'ids or globs of rules, cases, suites or areas')
    .option('--target <file>', 'target file of the carrier under test')
    .option('--suites <dir>', 'a further folder of suites', collect, [])
    .option('--without <area>', 'an area to leave out, such as baseline', collect, [])
    .option('--level <level>', 'the lowest level: required, recommended, observed', 'informational')
    .option('--report <format=path>', reportHelp, collect, [])
    .option('--out <dir>', 'folder of the journal, the result and the reports', 'carrierspec-report')
    .option('--resume', 'go on with the run whose journal is in --out', false)
    .option('--budget <time>', 'run what is planned to be over in this time, such as 10m')
    .option('--expected <file>', 'failures that are known: they must fail, and no others may')
    .option('--shard <i/n>', 'a part of the run: 2/4, or auto/4 with the index from JOB_COMPLETION_INDEX')
    .option('--preflight <how>', 'what is tried out before: off, quick, or full with a request of each client', 'quick')
    .option('--measure', 'find the real limits of the carrier first, and its profile', false)
    .option('--bail', 'stop at the first failure', false)
    .option('--jobs <n>', 'exchanges under way at the same time', '16')
    .option('--fault <name>', 'a fault of the embedded reference carrier', collect, [])
    .addHelpText(
      'after',
      '\nExamples:\n  carrierspec run\n  carrierspec run REQ-015 --target carrier.yaml\n  carrierspec run "CB-*" --level required\n  carrierspec run --fault iat-not-checked\n',
    )
    .action(async (what: string[], flags: Parameters<typeof import('./run/run.ts').runCommand>[1]) => {
      const { runCommand } = await import('./run/run.ts');
      end(await runCommand(what, flags, invocation));
    });
}

function defineReading(program: Command, invocation: Invocation, end: (code: number) => void): void {
  program
    .command('list')
    .summary('list rules and cases')
    .argument('[what...]', 'ids or globs of rules, cases, suites or areas')
    .option('--suites <dir>', 'a further folder of suites', collect, [])
    .option('--cases', 'list cases instead of rules', false)
    .option('--coverage', 'how many rules each area has, and how they are judged', false)
    .addHelpText(
      'after',
      '\nExamples:\n  carrierspec list\n  carrierspec list "REQ-*" --cases\n  carrierspec list --coverage\n',
    )
    .action(async (what: string[], flags: Parameters<typeof import('./list/list.ts').listCommand>[1]) => {
      const { listCommand } = await import('./list/list.ts');
      end(await listCommand(what, flags, invocation));
    });
  program
    .command('explain')
    .summary('say what a rule or a case means and how it is judged')
    .argument('<name>', 'id of a rule, a case or an invariant')
    .option('--suites <dir>', 'a further folder of suites', collect, [])
    .addHelpText('after', '\nExamples:\n  carrierspec explain REQ-015\n  carrierspec explain jti-again-after-4m30s\n')
    .action(async (name: string, flags: { suites: readonly string[] }) => {
      const { explainCommand } = await import('./explain/explain.ts');
      end(await explainCommand(name, flags, invocation));
    });
  program
    .command('check')
    .summary('check suites, and a target file, without sending anything')
    .argument('[dir...]', 'further folders of suites')
    .option('--target <file>', 'a target file to check as well')
    .addHelpText('after', '\nExamples:\n  carrierspec check\n  carrierspec check my-suites --target carrier.yaml\n')
    .action(async (dirs: string[], flags: { target?: string }) => {
      const { checkCommand } = await import('./check/check.ts');
      end(await checkCommand(dirs, flags, invocation));
    });
}

function definePlan(program: Command, invocation: Invocation, end: (code: number) => void): void {
  program
    .command('plan')
    .summary('say what would run, how long it takes, and what a person must do')
    .description(
      'Says how a run would go, and sends nothing; without --target, against the embedded reference carrier.',
    )
    .argument('[what...]', 'ids or globs of rules, cases, suites or areas')
    .option('--target <file>', 'target file of the carrier under test')
    .option('--suites <dir>', 'a further folder of suites', collect, [])
    .option('--without <area>', 'an area to leave out, such as baseline', collect, [])
    .option('--level <level>', 'the lowest level: required, recommended, observed', 'informational')
    .option('--budget <time>', 'only what is over in this time, such as 10m')
    .option('--json', 'one JSON document', false)
    .addHelpText(
      'after',
      '\nExamples:\n  carrierspec plan --target carrier.yaml\n  carrierspec plan events --target carrier.yaml --budget 2h\n',
    )
    .action(async (what: string[], flags: Parameters<typeof import('./plan/plan.ts').planCommand>[1]) => {
      const { planCommand } = await import('./plan/plan.ts');
      end(await planCommand(what, flags, invocation));
    });
}

function defineCarrier(program: Command, invocation: Invocation, end: (code: number) => void): void {
  program
    .command('carrier')
    .summary('start the reference carrier alone')
    .option('--config <file>', 'simulator file: clients, subscribers and approvals of your own')
    .option('--port <n>', 'port of its endpoints; 0 takes any; default 8600')
    .option('--admin-port <n>', 'port of its admin door; default 8601')
    .option('--receiver <url>', 'URL that the registered notification URIs begin with; default http://127.0.0.1:8602')
    .option('--clock <kind>', 'real or driven; default real')
    .option('--fault <name>', 'a defect to have', collect, [])
    .addHelpText(
      'after',
      '\nExamples:\n  carrierspec carrier\n  carrierspec carrier --config simulator.yaml\n  carrierspec carrier --clock driven --fault jti-never-kept\n',
    )
    .action(async (flags: Parameters<typeof import('./carrier/carrier.ts').carrierCommand>[0]) => {
      const { carrierCommand } = await import('./carrier/carrier.ts');
      end(await carrierCommand(flags, invocation));
    });
}

function defineProve(program: Command, invocation: Invocation, end: (code: number) => void): void {
  program
    .command('prove')
    .summary('show that the rules can fail: every fault of the reference carrier must turn its rules, and no others')
    .argument('[fault...]', 'names or globs of faults and variants; without any, all')
    .option('--suites <dir>', 'a further folder of suites', collect, [])
    .option('--out <dir>', 'folder of the matrix and of the remembered clean run', 'carrierspec-prove')
    .option('--whole', 'run every case for every fault, also those it cannot make a difference to', false)
    .option('--workers <n>', 'threads; default: as many as there are cores')
    .addHelpText(
      'after',
      '\nExamples:\n  carrierspec prove\n  carrierspec prove jti-never-kept\n  carrierspec prove "jti-*" --whole\n',
    )
    .action(async (names: string[], flags: Parameters<typeof import('./prove/prove.ts').proveCommand>[1]) => {
      const { proveCommand } = await import('./prove/prove.ts');
      end(await proveCommand(names, flags, invocation));
    });
}

async function explainStop(error: unknown, { stderr, env }: Invocation): Promise<number> {
  // Commander ends with help and version too; only those asked for are no mistakes.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage;
  if (error instanceof CarrierspecError) {
    if (error.problems.length > 0) {
      const { renderProblem } = await import('../suite/render-problem.ts');
      stderr.write(`${error.problems.map(renderProblem).join('\n\n')}\n\n`);
    }
    const { forTerminal } = await import('../report/sanitize.ts');
    stderr.write(`carrierspec: ${forTerminal(error.message)}\n`);
    return exitCodeOfStop(error.kind);
  }
  const text =
    error instanceof Error
      ? env['CARRIERSPEC_DEBUG']
        ? error.stack
        : `${error.name}: ${error.message}`
      : String(error);
  stderr.write(`carrierspec: this is a fault of carrierspec itself: ${text}\n`);
  return exitCodes.internal;
}

/** The whole program: arguments and streams in, exit code out. */
export async function main(invocation: Invocation): Promise<number> {
  const { stdout, stderr } = invocation;
  let code: number = exitCodes.conformant;
  const end = (given: number): void => {
    code = given;
  };
  const program = new Command('carrierspec')
    .description(
      'Conformance tests and certification for mobile carriers that act as OpenID Connect identity providers.',
    )
    .version(toolVersion())
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) })
    .exitOverride();
  defineTarget(program, invocation, end);
  defineRun(program, invocation, end);
  defineReport(program, invocation, end);
  defineMerge(program, invocation, end);
  definePlan(program, invocation, end);
  defineReading(program, invocation, end);
  defineSpotChecks(program, invocation, end);
  defineCarrier(program, invocation, end);
  defineProve(program, invocation, end);
  defineCertification(program, invocation, end);
  try {
    await program.parseAsync([...invocation.argv], { from: 'user' });
    return code;
  } catch (error) {
    return explainStop(error, invocation);
  }
}
