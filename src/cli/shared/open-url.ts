import { spawn } from 'node:child_process';
import process from 'node:process';
import { whyNot } from '../../lib/errors.ts';

/** A program that still runs by then has opened the page. */
const longestWait = 3000;

/** The program that opens an address as the user's desktop does; `BROWSER` before all others. */
function openerOf(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): readonly [string, ...string[]] {
  const chosen = env['BROWSER'];
  if (chosen !== undefined && chosen !== '') return [chosen];
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return ['xdg-open'];
}

/** Opens an address of ours in a browser, which lives on; why it could not, or undefined where it could. No shell reads the address. */
export function openUrl(
  url: string,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): Promise<string | undefined> {
  const [program, ...args] = openerOf(env, platform);
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true, env });
  return new Promise((resolve) => {
    const end = (why: string | undefined): void => {
      clearTimeout(timer);
      child.unref();
      resolve(why);
    };
    const timer = setTimeout(() => end(undefined), longestWait);
    child.once('error', (error) => end(`${program}: ${whyNot('run', error)}`));
    child.once('exit', (code) => end(code === 0 ? undefined : `${program} ended with ${code ?? 'a signal'}`));
  });
}
