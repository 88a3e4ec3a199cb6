/* The search of the HTML manual: lists the names that match every typed word, best match first. ENTRIES (entries.js)
 * lists [name, kind, place, first sentence]. Without scripts the page "All names" does the same. */
"use strict";

const MOST = 30;
const form = document.getElementById("search");
const query = document.getElementById("query");
const count = document.getElementById("count");
const found = document.getElementById("found");

/* Lower is better: the name itself, then names that begin with the word, then names with a part that begins with it,
 * then names that contain it, then the sentence. */
function rank([name, , , sentence], words) {
  const low = name.toLowerCase();
  const bare = low.replace(/^tenon_(error_)?/, "");
  let worst = 0;
  for (const word of words) {
    const plain = word.replace(/^tenon_/, "");
    let own;
    if (low === word || bare === plain) own = 0;
    else if (bare.startsWith(plain)) own = 1;
    else if (bare.includes("_" + plain)) own = 2;
    else if (low.includes(word)) own = 3;
    else if (sentence.toLowerCase().includes(word)) own = 4;
    else return -1;
    worst = Math.max(worst, own);
  }
  return worst;
}

function matches(text) {
  const words = text.toLowerCase().split(/[\s*]+/).filter(Boolean);
  if (!words.length) return [];
  return ENTRIES.map((entry) => [rank(entry, words), entry])
    .filter(([place]) => place >= 0)
    .sort(([a, [x]], [b, [y]]) => a - b || x.length - y.length || (x < y ? -1 : 1))
    .map(([, entry]) => entry);
}

function item([name, kind, place, sentence]) {
  const line = document.createElement("li");
  const link = line.appendChild(document.createElement("a"));
  link.href = place;
  link.appendChild(document.createElement("code")).textContent = name;
  link.appendChild(document.createElement("small")).textContent = sentence ? `${kind}: ${sentence}` : kind;
  return line;
}

function show() {
  const all = matches(query.value);
  found.replaceChildren(...all.slice(0, MOST).map(item));
  count.textContent = query.value.trim() ? `${all.length} found` : "";
}

function close() {
  query.value = "";
  show();
}

form.hidden = false;
query.addEventListener("input", show);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const first = found.querySelector("a");
  if (first) location.href = first.href;
});
found.addEventListener("click", (event) => { if (event.target.closest("a")) close(); });
document.addEventListener("keydown", (event) => {
  const typing = event.target.matches("input, textarea");
  if (event.key === "/" && !typing) {
    event.preventDefault();
    query.focus();
  } else if (event.key === "Escape") {
    close();
  } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && form.contains(event.target)) {
    const stops = [query, ...found.querySelectorAll("a")];
    const next = stops[stops.indexOf(event.target) + (event.key === "ArrowDown" ? 1 : -1)];
    if (next) { event.preventDefault(); next.focus(); }
  }
});
if (new URLSearchParams(location.search).has("q")) {
  query.value = new URLSearchParams(location.search).get("q");
  show();
}
