// Makes elements. What comes from outside is only ever text: nothing here or anywhere else in the
// page turns a string into markup.

/** An element with properties and children; a child that is a string becomes text. */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "class") {
      made.className = value;
    } else if (name.startsWith("on")) {
      made.addEventListener(name.slice(2), value);
    } else if (name in made && typeof value !== "string") {
      made[name] = value;
    } else {
      made.setAttribute(name, value);
    }
  }
  made.append(...children);
  return made;
}

/** Sets a text only where it differs, so that screen readers and layout are left in peace. */
export function setText(node, text) {
  if (node.textContent !== text) {
    node.textContent = text;
  }
}

/** A name from outside, set apart so that its direction does not spill into the words around it. */
export function named(text) {
  return element("bdi", {}, clean(text));
}

/** Without the characters that reorder or hide text. */
export function clean(text) {
  return text.replace(
    /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g,
    "\ufffd",
  );
}

export function byId(id) {
  return document.getElementById(id);
}
