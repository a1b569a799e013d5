// What a page of a run can do besides HTML and CSS; without it everything is shown as well.

const status = document.getElementById('shown');
const requirements = [...document.querySelectorAll('.requirement')];
const isShown = (element) => getComputedStyle(element).display !== 'none';

const tellShown = () => {
  status.textContent = `${requirements.filter(isShown).length} of ${requirements.length} requirements are shown.`;
};

const showAll = () => {
  for (const id of ['any-outcome', 'any-level']) document.getElementById(id).checked = true;
  tellShown();
};

document.querySelector('.filter').addEventListener('change', () => {
  for (const one of document.querySelectorAll('.chapter, .held'))
    one.open ||= !document.querySelector('#any-outcome:checked');
  tellShown();
});
tellShown();

// What a link leads to must not be hidden.
const reveal = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  if (target.matches('.requirement') && !isShown(target)) showAll();
  for (let around = target; around; around = around.parentElement) if (around.matches('details')) around.open = true;
  if (target.matches('.requirement')) target.querySelector('details')?.setAttribute('open', '');
  target.scrollIntoView();
};
addEventListener('hashchange', reveal);
reveal();

const buttons = [...document.querySelectorAll('.copy')];
for (const button of buttons) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const code = button.parentElement.querySelector('code');
    getSelection().selectAllChildren(code);
    const copied = await navigator.clipboard?.writeText(code.textContent).then(
      () => true,
      () => document.execCommand('copy'),
    );
    for (const one of buttons) one.textContent = 'Copy';
    button.textContent = copied ? 'Copied' : 'Selected';
  });
}

// One stop for the Tab key: within the picture the arrow keys go from bar to bar.
const bars = [...document.querySelectorAll('.picture a')];
const stop = (bar) => {
  for (const one of bars) one.setAttribute('tabindex', one === bar ? '0' : '-1');
};
stop(bars[0]);
document.querySelector('.picture')?.addEventListener('keydown', (event) => {
  const at = bars.indexOf(document.activeElement);
  const to = {
    ArrowRight: at + 1,
    ArrowDown: at + 1,
    ArrowLeft: at - 1,
    ArrowUp: at - 1,
    Home: 0,
    End: bars.length - 1,
  }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  const next = bars[Math.max(0, Math.min(bars.length - 1, to))];
  stop(next);
  next.focus();
});
