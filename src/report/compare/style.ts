/** The one style sheet of the comparison; a verdict is told by its word, colour only repeats it. */
export const comparisonStyle = `
:root { color-scheme: light dark; --line: #8885; --good: light-dark(#146c2e, #7ee2a0); --bad: light-dark(#a40e26, #ff9aa5); --soft: light-dark(#7a4a00, #ffcf70); --mark: light-dark(#fff3c4, #4a3b00); }
body { margin: 1.5rem; font: 15px/1.45 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0; }
h2, summary { font-size: 1.2rem; font-weight: 600; margin: 1.5rem 0 .5rem; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; padding: .3rem 0; }
th, td { border: 1px solid var(--line); padding: .4rem .6rem; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
thead th { position: sticky; top: 0; background: Canvas; }
thead th + th { width: 100rem; min-width: 11rem; }
tbody th { font-weight: 400; min-width: 16rem; max-width: 28rem; }
tbody th p { margin: .2rem 0 0; }
.level { font-style: italic; }
.v { font-weight: 600; }
.v-pass, .v-recorded { color: var(--good); }
.v-fail, .v-error { color: var(--bad); }
.v-warn, .v-inconclusive { color: var(--soft); }
dl { margin: .3rem 0 0; }
dl > div { padding: 0 .2rem; }
dt, dd { display: inline; margin: 0; }
dt::after { content: ": "; }
dd { font-family: ui-monospace, monospace; }
.differs { background: var(--mark); }
.reason { margin: .3rem 0 0; font-size: .9em; }
.notes { color: var(--soft); }
`;
