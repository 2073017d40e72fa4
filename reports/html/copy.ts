import { quoteWord } from '../../src/lib/shell.ts';
import { isDriverCall } from '../../src/model/exchange.ts';
import { all, html, make } from './dom.ts';
import { rowsRead } from './rows.ts';
import type { MessageView } from '../../src/report/html/message-view.ts';

/** Time that a button says that it copied, in milliseconds. */
const saidDuration = 2000;

/** Announces copies to screen readers, which do not read out a changed button. */
const voice = make('p', { class: 'unseen', role: 'status', id: 'copied' });

/** Copies without the clipboard API, which a page opened from disk may lack. */
function copyBySelection(text: string) {
  const field = make('textarea', { class: 'unseen', 'aria-hidden': 'true', readonly: '' });
  const { activeElement: before } = document;
  field.value = text;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return isCopied;
}

async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

async function copyAndSay(button: HTMLButtonElement, text: string) {
  const isCopied = await writeClipboard(text);
  const [word] = all(button, '.word', HTMLElement);
  const label = button.dataset['label'] ?? '';
  if (word !== undefined) word.textContent = isCopied ? 'Copied' : 'Select and copy it';
  voice.textContent = isCopied ? `Copied: ${text}` : 'This browser does not let the page copy';
  setTimeout(() => {
    if (word !== undefined) word.textContent = label;
  }, saidDuration);
}

function copyButton(label: string, text: () => string, rest: string) {
  const name = html`<span class="word">${label}</span><span class="unseen"> ${rest}</span>`;
  const button = make('button', { type: 'button', class: 'copy', 'data-label': label }, name);
  button.addEventListener('click', () => void copyAndSay(button, text()));
  return button;
}

function linkAddress(anchor: string, at = '') {
  const [page = ''] = location.href.split('#');
  const within = at === '' ? '' : `&at=${encodeURIComponent(at)}`;
  return `${page}#${encodeURIComponent(anchor).replaceAll('%2F', '/')}${within}`;
}

export const linkButton = (anchor: string, at = '') =>
  copyButton('Copy link', () => linkAddress(anchor, at), `to ${at === '' ? anchor : at}`);

/** Adds the status line at once, because only a line already in the page is read out. */
export const addVoice = () => document.body.append(voice);

export function addCommandButtons(within: ParentNode) {
  for (const command of all(within, 'code.command', HTMLElement)) {
    if (command.nextElementSibling?.matches('.copy')) continue;
    command.after(
      ' ',
      copyButton('Copy', () => command.textContent ?? '', 'this command'),
    );
  }
}

export function addLinkButton(details: HTMLDetailsElement) {
  const [line] = all(details, ':scope > .inside > .meta', HTMLElement);
  if (line !== undefined && line.querySelector('.copy') === null) line.append(' ', linkButton(details.id));
}

/** Button for the command that prints a request for curl, signed anew: a recorded signature expires within minutes. */
export function curlButton(message: MessageView, anchor: string) {
  const { kind, step, attempt } = message;
  const row = rowsRead?.byAnchor.get(anchor);
  const isOfStep = kind === 'exchange' && !isDriverCall(message) && attempt !== 'control';
  if (!isOfStep || step === undefined || row === undefined) return undefined;
  const words = ['carrierspec', 'send', '--from', quoteWord(row.id), '--step', quoteWord(step)];
  const flags = rowsRead?.sendFlags ?? '';
  const command = [...words, ...(flags === '' ? [] : [flags]), '--curl'].join(' ');
  const button = copyButton('Copy as curl', () => command, `${step}: the command that prints it, signed anew`);
  button.title = command;
  return button;
}
